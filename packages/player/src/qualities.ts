/** One quality, as menus of Media Chrome show it. */
export type Quality = { id: string; width: number; height: number; bitrate: number }

/**
 * The qualities of a video in the shape of the proposal for media tracks, which Media Chrome reads from a media element
 * as `videoRenditions`. Nothing is selected while the player chooses by itself.
 */
export class Qualities extends EventTarget {
  [index: number]: Quality
  length = 0
  #selected = -1

  get selectedIndex(): number {
    return this.#selected
  }

  set selectedIndex(index: number) {
    if (index === this.#selected) return
    this.#selected = index
    this.dispatchEvent(new Event('change'))
  }

  *[Symbol.iterator](): Generator<Quality> {
    for (let index = 0; index < this.length; index++) {
      const quality = this[index]
      if (quality) yield quality
    }
  }

  replace(qualities: readonly Quality[]): void {
    for (let index = 0; index < this.length; index++) delete this[index]
    this.#selected = -1
    this.length = qualities.length
    for (const [index, quality] of qualities.entries()) this[index] = quality
    this.dispatchEvent(new Event(qualities.length > 0 ? 'addrendition' : 'removerendition'))
  }
}
