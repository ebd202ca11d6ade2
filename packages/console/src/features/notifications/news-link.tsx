import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'

type NewsLinkProps = { href: string; className?: string | undefined; onFollow?: () => void; children: ReactNode }

/**
 * A link to an address that the server names, with its query; opened inside of the console unless somebody wants
 * another tab.
 */
export function NewsLink({ href, className, onFollow, children }: NewsLinkProps) {
  const router = useRouter()
  const follow = (event: MouseEvent) => {
    onFollow?.()
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return
    event.preventDefault()
    router.history.push(href)
  }
  return (
    <a href={href} className={className} onClick={follow}>
      {children}
    </a>
  )
}
