import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { cssProperties, seriesColor } from '../charts/series.ts'
import classes from './flush-table.module.css'

type FlushTableProps = {
  label: string
  head: readonly FlushColumn[]
  /** Rows of a log: everything but the name steps back. */ quiet?: boolean
  children: ReactNode
}
/** `wide` goes on a phone. */
export type FlushColumn = { key: string; text: string; number?: true; wide?: boolean }

/** A dense table from edge to edge of its card that scrolls by itself. */
export function FlushTable({ label, head, quiet = false, children }: FlushTableProps) {
  return (
    // Scrolls, so the keyboard must reach it.
    <div className={classes.scroll} tabIndex={0} role="group" aria-label={label}>
      <table className={`${classes.table} ${quiet ? classes.quiet : ''}`}>
        <thead>
          <tr>
            {head.map(({ key, text, number, wide }) =>
              text === '' ? (
                <td key={key} {...cellOf(number, wide)} />
              ) : (
                <th key={key} scope="col" {...cellOf(number, wide)}>
                  {text}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

const cellOf = (number: boolean | undefined, wide: boolean | undefined) => ({
  ...(number ? { 'data-number': true } : {}),
  ...(wide ? { 'data-wide': true } : {}),
})

export type ShareRow = {
  key: string
  name: string
  /** What a click on the name does, in words; without it the name is only text. */ narrow?: {
    title: string
    onClick: () => void
  }
  series: number
  /** Percent. */ share: number
  cells: readonly string[]
}
type ShareTableProps = { label: string; what: string; columns: readonly string[]; rows: readonly ShareRow[] }

/** Values with their share of a whole as a bar, and figures beside it. */
export function ShareTable({ label, what, columns, rows }: ShareTableProps) {
  const head: FlushColumn[] = [
    { key: 'what', text: what },
    { key: 'bar', text: '', wide: true },
    ...columns.map((text): FlushColumn => ({ key: text, text, number: true })),
  ]
  return (
    <FlushTable label={label} head={head}>
      {rows.map(({ key, name, narrow, series, share, cells }) => (
        <tr key={key}>
          <th scope="row" title={name}>
            {narrow ? (
              <UnstyledButton className={classes.narrow} title={narrow.title} onClick={narrow.onClick}>
                {name}
              </UnstyledButton>
            ) : (
              name
            )}
          </th>
          <td data-wide>
            <span className={classes.bar} style={cssProperties({ '--share': share, '--series': seriesColor(series) })}>
              <span />
            </span>
          </td>
          {cells.map((cell, index) => (
            <td key={columns[index]} className="num" data-number>
              {cell}
            </td>
          ))}
        </tr>
      ))}
    </FlushTable>
  )
}

/** Codes and addresses in a table. */
export function MonoCell({ children, title, wide }: { children: ReactNode; title?: string; wide?: boolean }) {
  return (
    <td className={classes.mono} title={title} {...cellOf(false, wide)}>
      {children}
    </td>
  )
}
