import { createContext, useContext } from 'react'
import classes from './logo.module.css'

/** A partner's own pictures, and whether the mark beside the name is anybody else's to show. */
export type LogoPictures = { logo: string | null; white: string | null; ownMark: boolean }

/** Given once around the console; without it the installation's own mark is drawn. */
export const LogoContext = createContext<LogoPictures>({ logo: null, white: null, ownMark: false })

/**
 * The partner's logo in a box of 22 px height; the white one on dark ground and on extra-small screens. Without
 * pictures, a mark in the brand's colour and the name.
 */
export function Logo({ name }: { name: string }) {
  const { logo, white, ownMark } = useContext(LogoContext)
  if (logo !== null || white !== null) {
    return (
      <span className={classes.logo}>
        <img
          className={classes.picture}
          data-on={logo !== null && white !== null ? 'light' : 'both'}
          src={logo ?? white ?? ''}
          alt={name}
        />
        {logo !== null && white !== null && <img className={classes.picture} data-on="dark" src={white} alt={name} />}
      </span>
    )
  }
  return (
    <span className={classes.logo}>
      {ownMark ? (
        <span className={classes.letter} aria-hidden>
          {[...name.trim()][0]?.toUpperCase()}
        </span>
      ) : (
        <Mark />
      )}
      <span className={classes.name}>{name}</span>
    </span>
  )
}

function Mark() {
  return (
    <svg className={classes.mark} viewBox="0 0 24 24" aria-hidden>
      <rect className={classes.tile} width="24" height="24" rx="6.5" />
      <path className={classes.glyph} d="M7 18.5V6.5h10M7 12.2c4.4 0 4.6 3.4 9.4 3.4" />
    </svg>
  )
}
