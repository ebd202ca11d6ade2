import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PLACE_TREE, ROOT_KEYS, checkState } from './place-tree.ts'

export type VisiblePlace = {
  key: string
  parent: string | null
  level: number
  position: number
  setSize: number
  /** Null for a place without places inside. */ expanded: boolean | null
}

/**
 * Which places of the tree are to be seen, in order: those of opened parents, or those that the search finds with
 * everything around them.
 */
export function useVisiblePlaces(chosen: readonly string[], nameOf: (key: string) => string) {
  const { i18n } = useTranslation()
  const [text, setText] = useState('')
  // What is chosen in part starts open, so that the choice can be seen.
  const [opened, setOpened] = useState<ReadonlySet<string>>(
    () => new Set([...PLACE_TREE.keys()].filter((key) => checkState(key, chosen) === 'part')),
  )
  const sorted = useMemo(() => {
    const collator = new Intl.Collator(i18n.language)
    return (keys: readonly string[]) => [...keys].sort((a, b) => collator.compare(nameOf(a), nameOf(b)))
  }, [i18n.language, nameOf])
  const visible = useMemo(() => {
    const wanted = text.trim().toLocaleLowerCase()
    const found = wanted === '' ? null : placesFound(wanted, nameOf)
    const list: VisiblePlace[] = []
    const walk = (keys: readonly string[], level: number) => {
      const shown = found ? keys.filter((key) => found.has(key)) : keys
      for (const [index, key] of (level === 1 ? shown : sorted(shown)).entries()) {
        const node = PLACE_TREE.get(key)
        if (!node) continue
        const isOpen = found ? node.children.some((child) => found.has(child)) : opened.has(key)
        list.push({
          key,
          parent: node.parent,
          level,
          position: index + 1,
          setSize: shown.length,
          expanded: node.children.length === 0 ? null : isOpen,
        })
        if (isOpen) walk(node.children, level + 1)
      }
    }
    walk(ROOT_KEYS, 1)
    return list
  }, [text, opened, nameOf, sorted])
  const open = (key: string) => setOpened((keys) => new Set(keys).add(key))
  const close = (key: string) => setOpened((keys) => new Set([...keys].filter((other) => other !== key)))
  return { text, setText, visible, open, close }
}

/** Places whose name or code matches, and the ones around them. */
function placesFound(wanted: string, nameOf: (key: string) => string): Set<string> {
  const found = new Set<string>()
  for (const node of PLACE_TREE.values()) {
    const code = node.key.replace(/^\w+:/, '').toLocaleLowerCase()
    if (!nameOf(node.key).toLocaleLowerCase().includes(wanted) && code !== wanted) continue
    for (let key: string | null = node.key; key !== null; key = PLACE_TREE.get(key)?.parent ?? null) found.add(key)
  }
  return found
}
