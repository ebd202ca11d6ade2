import { type CSSProperties, useId } from 'react'
import classes from './sparkline.module.css'
import { sparkPaths } from './sparkline-path.ts'

const WIDTH = 200
const HEIGHT = 40

type Props = {
  values: readonly (number | null)[]
  /** Colour by `--series`; without it the brand. */
  style?: CSSProperties
  /** Lower bound of the scale; without it the smallest value. */
  floor?: number
  height?: number
}

/** A line without axes. Decoration of a figure that stands beside it, so it is hidden from screen readers. */
export function Sparkline({ values, style, floor, height = HEIGHT }: Props) {
  const id = useId()
  const { line, area, last } = sparkPaths(values, WIDTH, HEIGHT, floor)
  return (
    <svg
      className={classes.root}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      height={height}
      style={style}
      aria-hidden="true"
      focusable="false"
    >
      <defs>
        <linearGradient id={id} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" className={classes.from} />
          <stop offset="1" className={classes.to} />
        </linearGradient>
      </defs>
      <path d={area} fill={`url(#${id})`} />
      <path d={line} className={classes.line} vectorEffect="non-scaling-stroke" />
      {last && (
        <line
          x1={last.x}
          x2={last.x}
          y1={last.y}
          y2={last.y}
          className={classes.last}
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  )
}
