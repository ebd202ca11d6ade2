import { LIMITS, type PageKind } from '@fairway/contract'
import { checkPage } from '@fairway/domain'
import { useDeferredValue, useMemo, useState } from 'react'

/** A page that is being written: its name and text, judged as it is typed. */
export function usePageDraft(kind: PageKind, saved: { name: string; html: string }) {
  const [name, setName] = useState(saved.name)
  const [html, setHtml] = useState(saved.html)
  const judged = useDeferredValue(html)
  const problems = useMemo(() => (judged === '' ? [] : checkPage(kind, judged)), [kind, judged])
  const bytes = useMemo(() => new TextEncoder().encode(judged).length, [judged])
  const take = (text: string, fileName?: string) => {
    setHtml(text)
    if (fileName !== undefined && name === '') setName(fileName.replace(/\.html?$/i, '').slice(0, 80))
  }
  const isGood =
    name.trim() !== '' &&
    html !== '' &&
    bytes <= LIMITS.customPageBytes &&
    problems.every(({ level }) => level === 'warning')
  return { name, html, setName, take, problems, bytes, isGood, isChanged: name !== saved.name || html !== saved.html }
}
