// The tab of a PDF that is laid out first. Browsers let a click open a tab, but not what the server answers later.
window.cardgenTab = {
  begin() {
    this.tab = window.open("", "_blank");
    if (this.tab) this.tab.document.body.textContent = "Laying out the sheets …";
  },
  show(address) { this.tab && !this.tab.closed ? (this.tab.location = address) : location.assign(address); },
  cancel() { this.tab?.close(); },
};
