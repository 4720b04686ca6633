/** The names that are wanted; where several want one name, each keeps its own instead. */
export function unlessShared<T>(wanted: readonly T[], own: readonly T[]): T[] {
  return wanted.map((name, at) => {
    const isShared = wanted.indexOf(name) !== wanted.lastIndexOf(name);
    return isShared ? own[at]! : name;
  });
}
