// What the game reads in a card's sentences, and what a change of the card means against typical cards and in the balance.
export default {
  template: `
    <section class="card-rules" aria-label="Card">
      <h2>Sentences</h2>
      <p v-if="!sentences.length" class="option-help">This card has no sentences that the game reads.</p>
      <ul class="boxes">
        <li v-for="(row, index) in sentences" :key="index" :class="row.level.replace(' ', '-')" data-testid="sentence">
          <p class="sentence-text"><span v-if="row.part" class="chip">{{ row.part }}</span> {{ row.text }}</p>
          <p class="option-help"><strong>{{ row.level }}</strong><template v-if="!row.is_own">, made from effects</template><template
            v-if="row.reason">: {{ row.reason }}</template><template v-if="row.meaning">. Read as: {{ row.meaning }}</template></p>
          <p v-for="clause in row.unread" :key="clause" class="option-help">Not read: {{ clause }}</p>
          <p class="option-help">The referee {{ row.referee }}.</p>
        </li>
      </ul>
      <h2>Balance</h2>
      <p v-if="balance.problem" class="bar error" role="alert">{{ balance.problem }}</p>
      <p v-else class="option-help" data-testid="balance-state">{{ balance.is_changed ? 'Before and after the unsaved change.' : 'The card is as saved.' }}</p>
      <p v-for="note in balance.left_out" :key="note" class="option-help" data-testid="balance-note">Not adjudicated: {{ note }}</p>
      <table v-if="balance.figures.length" class="odds-table"><caption>Changed figures</caption>
        <thead><tr><th scope="col">Benchmark</th><th scope="col">Figure</th><th scope="col">Saved</th><th scope="col">Unsaved</th></tr></thead>
        <tbody><tr v-for="row in balance.figures" :key="row.benchmark + row.label" class="changed" data-testid="figure">
          <th scope="row">{{ row.benchmark }}</th><td>{{ row.label }}</td><td class="odds-number">{{ row.saved }}</td>
          <td class="odds-number">{{ row.now }}</td></tr></tbody>
      </table>
      <ul class="benchmarks"><li v-for="line in balance.benchmarks" :key="line">{{ line }}</li></ul>
      <table v-if="balance.now" class="odds-table" data-testid="places"><caption>Place among all that fight</caption>
        <thead><tr><th scope="col">Card</th><th scope="col">Place</th><th scope="col">Wins</th></tr></thead>
        <tbody><tr v-for="(place, name) in places" :key="name"><th scope="row">{{ name }}</th>
          <td class="odds-number">{{ place.place }} of {{ place.fighters }}</td>
          <td class="odds-number">{{ (place.score * 100).toFixed(1) }} %</td></tr></tbody>
      </table>
      <button v-if="balance.has_places && !balance.now && !busy" type="button" class="studio-button" data-testid="places-button"
        @click="$emit('places')">Compute its place in the balance</button>
      <p v-if="busy" role="status">Computing … <button type="button" class="studio-button" @click="$emit('stop')">Stop</button></p>
    </section>`,
  props: { sentences: Array, balance: Object, busy: Boolean },
  emits: ["places", "stop"],
  computed: {
    places() {
      const { saved, now, is_changed } = this.balance;
      return is_changed && saved ? { saved, unsaved: now } : { now };
    },
  },
};
