import { BodyKindName, LIMITS, SchemaType, type SchemaContent, type SchemaParameter } from '@fairway/contract'
import { ActionIcon, MultiSelect, NumberInput, Select, Switch } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { FlushTable } from '../../ui/data-table/flush-table.tsx'
import { Card } from '../../ui/page/card.tsx'
import classes from './api-schema.module.css'

/** What requests for an endpoint look like. */
export function ContentView({ content, title }: { content: SchemaContent; title: string }) {
  const { t } = useTranslation('api-schema')
  const format = useFormat()
  const { kinds, maxBytes, open, parameters } = content
  return (
    <Card title={title} flush>
      <dl className={classes.inset}>
        <div>
          <dt>{t('content.kinds')}</dt>
          <dd>{kinds.map((kind) => t(`kind.${kind}`)).join(', ')}</dd>
        </div>
        <div>
          <dt>{t('content.largest')}</dt>
          <dd className="num">{format.bytes(maxBytes)}</dd>
        </div>
        <div>
          <dt>{t('content.others')}</dt>
          <dd>{t(open ? 'content.open' : 'content.closed')}</dd>
        </div>
      </dl>
      {parameters.length > 0 && (
        <FlushTable
          label={t('column.parameters')}
          head={[
            { key: 'name', text: t('parameter.name') },
            { key: 'in', text: t('parameter.in') },
            { key: 'type', text: t('parameter.type') },
            { key: 'length', text: t('parameter.maxLength'), number: true, wide: true },
          ]}
        >
          {parameters.map((one) => (
            <tr key={`${one.in} ${one.name}`}>
              <th scope="row">
                <span className={classes.mono}>{nameOf(one) || t('parameter.whole')}</span>
              </th>
              <td>{t(`in.${one.in}`)}</td>
              <td>
                {[
                  t(`type.${one.type}`),
                  ...(one.nullable ? [t('parameter.nullable')] : []),
                  ...(one.required ? [t('parameter.required')] : []),
                ].join(' · ')}
              </td>
              <td data-number data-wide>
                {one.maxLength === 0 ? t('parameter.any') : format.number(one.maxLength)}
              </td>
            </tr>
          ))}
        </FlushTable>
      )}
    </Card>
  )
}

type FieldsProps = { content: SchemaContent; onChange: (content: SchemaContent) => void }

/** The same, to be changed. What stands in the path stays; its type may be another. */
export function ContentFields({ content, onChange }: FieldsProps) {
  const { t } = useTranslation('api-schema')
  const set = (change: Partial<SchemaContent>) => onChange({ ...content, ...change })
  const setOne = (at: number, change: Partial<SchemaParameter>) =>
    set({ parameters: content.parameters.map((one, index) => (index === at ? { ...one, ...change } : one)) })
  return (
    <div className={classes.fields}>
      <MultiSelect
        label={t('content.kinds')}
        data={BodyKindName.options.map((value) => ({ value, label: t(`kind.${value}`) }))}
        value={content.kinds}
        onChange={(kinds) => set({ kinds: BodyKindName.options.filter((kind) => kinds.includes(kind)) })}
      />
      <NumberInput
        label={t('content.maxBytes')}
        min={LIMITS.apiSchema.bytes.min}
        max={LIMITS.apiSchema.bytes.max}
        allowDecimal={false}
        value={content.maxBytes}
        onChange={(value) => set({ maxBytes: Number(value) })}
      />
      <Switch
        label={t('content.open')}
        checked={content.open}
        onChange={({ currentTarget }) => set({ open: currentTarget.checked })}
      />
      {content.parameters.length > 0 && (
        <Card title={t('column.parameters')} flush>
          <FlushTable
            label={t('column.parameters')}
            head={[
              { key: 'name', text: t('parameter.name') },
              { key: 'type', text: t('parameter.type') },
              { key: 'required', text: t('parameter.must') },
              { key: 'remove', text: '' },
            ]}
          >
            {content.parameters.map((one, index) => {
              const name = nameOf(one) || t('parameter.whole')
              return (
                <tr key={`${one.in} ${one.name}`}>
                  <th scope="row">
                    <span className={classes.mono}>{name}</span>{' '}
                    <span className={classes.quiet}>{t(`in.${one.in}`)}</span>
                  </th>
                  <td>
                    <Select
                      aria-label={`${t('parameter.type')}: ${name}`}
                      data={SchemaType.options.map((value) => ({ value, label: t(`type.${value}`) }))}
                      value={one.type}
                      allowDeselect={false}
                      onChange={(value) => value && setOne(index, { type: SchemaType.parse(value) })}
                    />
                  </td>
                  <td>
                    <Switch
                      aria-label={`${t('parameter.must')}: ${name}`}
                      checked={one.required}
                      disabled={one.in === 'path'}
                      onChange={({ currentTarget }) => setOne(index, { required: currentTarget.checked })}
                    />
                  </td>
                  <td>
                    {one.in !== 'path' && (
                      <ActionIcon
                        variant="subtle"
                        aria-label={t('parameter.remove', { name })}
                        onClick={() => set({ parameters: content.parameters.filter((_, at) => at !== index) })}
                      >
                        <IconX size={16} stroke={1.8} />
                      </ActionIcon>
                    )}
                  </td>
                </tr>
              )
            })}
          </FlushTable>
        </Card>
      )}
    </div>
  )
}

const nameOf = ({ in: where, name }: SchemaParameter): string => (where === 'path' ? `{${name}}` : name)
