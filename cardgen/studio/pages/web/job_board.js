// Builds and exports: progress, log, files with their folder, and a way to stop them.
export default {
  template: `
    <section class="jobs" aria-label="Results">
      <h2>Results</h2>
      <p v-if="!jobs.length" class="option-help jobs-none">What you build or export is listed here.</p>
      <ul class="boxes">
        <li v-for="job in jobs" :key="job.number" :class="job.state" :data-testid="'job-' + job.state">
          <div class="job-head"><strong>{{ job.title }}</strong>
            <span role="status">{{ words[job.state] }}</span>
            <button v-if="job.state === 'running'" type="button" class="studio-button" data-testid="cancel"
              @click="$emit('cancel', job.number)">Cancel</button></div>
          <div v-if="job.state === 'running'" class="job-progress">
            <progress :max="job.total || 1" :value="job.total ? job.done : null" :aria-label="'Progress of ' + job.title"></progress>
            <span>{{ job.total ? job.done + ' of ' + job.total : 'starting' }} {{ job.what }}</span></div>
          <p v-if="job.summary" class="job-summary">{{ job.summary }}</p>
          <ul v-if="job.problems.length" class="job-problems" role="alert"><li v-for="each in job.problems" :key="each">{{ each }}</li></ul>
          <div v-for="folder in job.folders" :key="folder.name" class="job-folder">
            <span class="job-path">{{ folder.name }}/</span> <span>{{ folder.count }} {{ folder.count === 1 ? 'file' : 'files' }}, {{ folder.size }}</span>
            <ul><li v-for="file in folder.files" :key="file.address"><a :href="file.address" target="_blank" rel="noopener">{{ file.name }}</a>
              <span>{{ file.size }}<template v-if="file.pages">, {{ file.pages }} {{ file.pages === 1 ? 'page' : 'pages' }}</template></span></li>
              <li v-if="folder.count > folder.files.length">and {{ folder.count - folder.files.length }} more</li></ul>
          </div>
          <p v-for="note in job.notes" :key="note" class="option-help">{{ note }}</p>
          <p v-if="job.next" class="option-help">Next: {{ job.next }}</p>
          <details v-if="job.log.length"><summary>Log</summary><pre class="job-log" tabindex="0">{{ job.log.join('\\n') }}</pre></details>
        </li>
      </ul>
    </section>`,
  props: { jobs: Array },
  emits: ["cancel"],
  data() { return { words: { running: "running", done: "done", failed: "failed; nothing was written", cancelled: "cancelled" } }; },
};
