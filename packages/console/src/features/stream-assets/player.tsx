import { StreamPlayer } from '@fairway/player'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useFormat } from '../../i18n/format.ts'
import classes from './stream-assets.module.css'

/** Plays what viewers get, from where they get it, in the player that pages embed. */
export function Player({
  src,
  poster,
  label,
  isLive = false,
  beside,
}: {
  src: string
  poster: string | undefined
  label: string
  isLive?: boolean
  /** What goes along with it, and can go elsewhere in it. */
  beside?: (place: { at: number; onSeek: (seconds: number) => void }) => ReactNode
}) {
  const place = useRef<HTMLDivElement>(null)
  const player = useRef<StreamPlayer>(null)
  const [at, setAt] = useState(0)
  const { language } = useFormat()
  const hasCompany = beside !== undefined
  useEffect(() => {
    const made = new StreamPlayer()
    for (const [name, value] of Object.entries({ src, label, language, poster }))
      if (value !== undefined) made.setAttribute(name, value)
    made.toggleAttribute('live', isLive)
    made.toggleAttribute('muted', isLive)
    place.current?.append(made)
    player.current = made
    const { video } = made
    const follow = () => setAt(video?.currentTime ?? 0)
    if (hasCompany) video?.addEventListener('timeupdate', follow)
    return () => {
      video?.removeEventListener('timeupdate', follow)
      made.remove()
    }
  }, [src, label, language, poster, isLive, hasCompany])
  const onSeek = (seconds: number) => {
    const video = player.current?.video
    if (video) video.currentTime = seconds
    setAt(seconds)
  }
  return (
    <>
      <div ref={place} className={classes.video} />
      {beside?.({ at, onSeek })}
    </>
  )
}
