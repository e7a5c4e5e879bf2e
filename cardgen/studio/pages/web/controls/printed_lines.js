// Texts in the form have the lines that are printed: there, a line ends with a backslash in the file, and other line ends are spaces.
const ITEM = String.raw`[ \t]*(?:[-•]|\d{1,2}[.)])[ \t]+\S`;
const ENDS = new RegExp(String.raw`((?:(?<!\\)\\)?[ \t]*\n[ \t]*\n\s*|(?<!\\)\\[ \t]*\n|\n(?=${ITEM}))`);
const STARTS_ITEM = new RegExp(`^${ITEM}`);
const joined = (line) => line.replace(/\s*\n\s*/g, " ");
const isBlank = (end) => (end.match(/\n/g) || []).length > 1;

export function shownText(text) {
  return text.trimEnd().split(ENDS).map((part, number) => number % 2 === 0 ? joined(part) : isBlank(part) ? "\n\n" : "\n").join("");
}

// Lines that have not changed stay as they were `before`, where they can go over several lines of the file.
export function writtenText(shown, before) {
  const known = new Map(before.trimEnd().split(ENDS).filter((_, number) => number % 2 === 0).map((line) => [joined(line), line]));
  const parts = shown.replace(/(?<!\\)\\$/gm, "").replace(/[ \t]+$/gm, "").trim().split(/(\n+)/);
  return parts.map((part, number) => {
    if (number % 2 === 0) return known.get(part) ?? part;
    return isBlank(part) ? "\n\n" : STARTS_ITEM.test(parts[number + 1]) ? "\n" : "\\\n";
  }).join("");
}
