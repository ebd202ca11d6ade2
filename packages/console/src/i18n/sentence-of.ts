/** Stands for the name while the sentence is translated. */
const MARK = '\uE000'

/** A sentence about something named, for tables: translated once, its name filled in by each of thousands of rows. */
export function sentenceOf(translate: (name: string) => string): (name: string) => string {
  const parts = translate(MARK).split(MARK)
  return (name) => parts.join(name)
}
