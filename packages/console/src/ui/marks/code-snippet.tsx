import { Copy } from './copy.tsx'
import classes from './code-snippet.module.css'

/** Text for a terminal or a file, with a copy button. */
export function CodeSnippet({ label, code }: { label: string; code: string }) {
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.head}>
        <span>{label}</span>
        <Copy value={code} name={label} />
      </figcaption>
      {/* Scrolls sideways, so the keyboard must reach it. */}
      <pre className={classes.code} tabIndex={0} aria-label={label}>
        <code>{code}</code>
      </pre>
    </figure>
  )
}
