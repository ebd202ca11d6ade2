import { NumberInput } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './editor.module.css'

type NumberFieldsProps<Field extends string> = {
  /** Each whole number with its bounds. */
  fields: readonly (readonly [Field, { readonly min: number; readonly max: number }])[]
  values: Readonly<Record<Field, number>>
  label: (field: Field) => string
  wrong: (field: Field) => ReactNode
  onChange: (change: { [One in Field]?: number }) => void
}

/** The whole numbers of a rule, beside each other. */
export function NumberFields<Field extends string>({
  fields,
  values,
  label,
  wrong,
  onChange,
}: NumberFieldsProps<Field>) {
  return (
    <div className={classes.figures}>
      {fields.map(([field, { min, max }]) => (
        <NumberInput
          key={field}
          label={label(field)}
          value={values[field]}
          min={min}
          max={max}
          allowDecimal={false}
          error={wrong(field)}
          onChange={(value) => onChange({ [field]: Number(value) } as { [One in Field]?: number })}
        />
      ))}
    </div>
  )
}
