// Keeps the keyboard's place when the focused control goes away, such as a quick fix that has done its work.
(() => {
  let chain = [];
  document.addEventListener("focusin", ({ target }) => {
    chain = [];
    for (let element = target; element; element = element.parentElement) chain.push(element);
  });
  new MutationObserver(() => {
    if (document.activeElement !== document.body || !chain.length || chain[0].isConnected) return;
    const place = chain.find((each) => each.isConnected && each.matches("section, form, [role=dialog]"));
    chain = [];
    if (!place) return;
    place.tabIndex = -1;
    place.focus({ preventScroll: true });
  }).observe(document, { childList: true, subtree: true });
})();
