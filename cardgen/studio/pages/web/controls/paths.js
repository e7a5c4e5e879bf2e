// Key paths of fields: as ids of elements, and as keys.
export const idOf = (path) => "field-" + path.map((step) => encodeURIComponent(step).replace(/%/g, "_")).join("-");
export const keyOf = (path) => JSON.stringify(path);

// A language by its own name, such as 'Deutsch'.
export const languageName = (tag) => new Intl.DisplayNames([tag], { type: "language" }).of(tag);
