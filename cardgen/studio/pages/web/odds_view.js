// Odds as bars and numbers; while a change is not saved, the saved odds stand beside them.
export default {
  template: `
    <section class="odds" aria-label="Odds" :aria-busy="busy">
      <p v-if="busy" class="odds-busy" role="status">Computing …
        <button type="button" class="studio-button" data-testid="stop-odds" @click="$emit('stop')">Stop</button></p>
      <p v-if="answer.problem" class="bar error" role="alert" data-testid="odds-problem">{{ answer.problem }}</p>
      <p v-if="answer.has_saved" class="odds-legend" data-testid="odds-legend"><span class="swatch now"></span> with unsaved changes
        <span class="swatch saved"></span> {{ answer.saved_problem ? 'saved: ' + answer.saved_problem : 'as saved' }}</p>
      <h2 v-if="answer.title && answer.title !== answer.tables[0]?.title" class="odds-title">{{ answer.title }}</h2>
      <p v-for="note in answer.notes" :key="note" class="option-help" data-testid="odds-note">{{ note }}</p>
      <table v-for="(table, index) in answer.tables" :key="index" class="odds-table">
        <caption>{{ table.title }}</caption>
        <thead><tr><th scope="col">Outcome</th><th scope="col"><span class="sr-only">Bar</span></th>
          <th scope="col">{{ answer.has_saved ? 'Unsaved' : 'Chance or mean' }}</th>
          <th v-if="answer.has_saved" scope="col">Saved</th><th scope="col" class="odds-fraction">Exact</th></tr></thead>
        <tbody><tr v-for="row in table.rows" :key="row.label" :class="{changed: row.is_changed}" data-testid="odds-row">
          <th scope="row">{{ row.label }}</th>
          <td class="odds-bars"><template v-if="row.share !== null || row.saved_share !== null">
            <span class="odds-bar now" :style="width(row.share)"></span>
            <span v-if="answer.has_saved" class="odds-bar saved" :style="width(row.saved_share)"></span></template></td>
          <td class="odds-number">{{ row.text || '–' }}</td>
          <td v-if="answer.has_saved" class="odds-number">{{ row.saved_text || '–' }}</td>
          <td class="odds-number odds-fraction">{{ row.fraction }}</td>
        </tr></tbody>
      </table>
    </section>`,
  props: { answer: Object, busy: Boolean },
  emits: ["stop"],
  methods: { width(share) { return { width: `${((share || 0) * 100).toFixed(2)}%` }; } },
};
