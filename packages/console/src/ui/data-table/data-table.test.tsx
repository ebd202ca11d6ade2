import { fireEvent, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { renderPart } from '../../testing/render.tsx'
import { DataTable, type DataTableProps } from './data-table.tsx'
import { columnsFor, formatSort, parseSort } from './table-model.ts'

type Person = { id: string; name: string; age: number }

const column = columnsFor<Person>()
const columns = column.columns([
  column.accessor('name', { header: 'Name', sortFn: 'alphanumeric' }),
  column.accessor('age', { header: 'Age' }),
])
const people: Person[] = [
  { id: 'a', name: 'Grace', age: 85 },
  { id: 'b', name: 'Ada', age: 36 },
  { id: 'c', name: 'Linus', age: 55 },
]

function People(props: Partial<DataTableProps<Person>>) {
  const [sort, setSort] = useState<string>()
  return (
    <DataTable
      label="People"
      rows={people}
      columns={columns}
      rowId={({ id }) => id}
      rowName={({ name }) => name}
      sort={sort}
      onSort={setSort}
      empty={<p>Nobody</p>}
      {...props}
    />
  )
}

const onlyAda = people.slice(1, 2)

function Shrinking(props: Partial<DataTableProps<Person>>) {
  const [rows, setRows] = useState(people)
  return (
    <>
      <button type="button" onClick={() => setRows(onlyAda)}>
        Filter
      </button>
      <People {...props} rows={rows} />
    </>
  )
}

const names = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent)
        .find((text) => text !== '' && Number.isNaN(Number(text))),
    )

test('a head sorts its column, and says so', () => {
  renderPart(<People />)
  expect(names()).toEqual(['Grace', 'Ada', 'Linus'])
  fireEvent.click(screen.getByRole('button', { name: 'Name' }))
  expect(names()).toEqual(['Ada', 'Grace', 'Linus'])
  expect(screen.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('ascending')
  fireEvent.click(screen.getByRole('button', { name: 'Name' }))
  expect(names()).toEqual(['Linus', 'Grace', 'Ada'])
})

test('the sort of the address is the sort of the table', () => {
  renderPart(<People sort="-age" />)
  expect(names()).toEqual(['Grace', 'Linus', 'Ada'])
})

test('bulk actions get what is selected and shown, not what was filtered away', () => {
  const bulk = vi.fn((rows: readonly Person[]) => <span>{rows.map(({ name }) => name).join('+')}</span>)
  renderPart(<Shrinking bulk={bulk} />)
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Ada' }))
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Linus' }))
  expect(screen.getByRole('toolbar').textContent).toContain('Ada+Linus')
  fireEvent.click(screen.getByRole('button', { name: 'Filter' }))
  expect(screen.getByRole('toolbar').textContent).toContain('1 selectedAda')
})

test('all rows are selected and cleared by the head', () => {
  renderPart(<People bulk={(rows, clear) => <button type="button" onClick={clear}>{`drop ${rows.length}`}</button>} />)
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all rows' }))
  fireEvent.click(screen.getByRole('button', { name: 'drop 3' }))
  expect(screen.queryByRole('toolbar')).toBeNull()
})

test('on a phone rows are cards, which are selected as rows are', () => {
  vi.stubGlobal('matchMedia', (media: string) => Object.assign(new EventTarget(), { media, matches: true }))
  renderPart(<People bulk={(rows) => <span>{rows.map(({ name }) => name).join('+')}</span>} />)
  expect(screen.queryByRole('table')).toBeNull()
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Linus' }))
  expect(screen.getByRole('toolbar').textContent).toContain('Linus')
})

test('j, k, x and Enter walk, select and open rows', () => {
  const onOpen = vi.fn()
  renderPart(<People onOpen={onOpen} bulk={() => null} />)
  for (const key of ['j', 'j', 'j', 'k', 'x', 'Enter']) fireEvent.keyDown(document.body, { key })
  expect(onOpen).toHaveBeenCalledExactlyOnceWith(people[1])
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select Ada' }).checked).toBe(true)
})

test('a click on a row opens it, a click on its checkbox does not', () => {
  const onOpen = vi.fn()
  renderPart(<People onOpen={onOpen} bulk={() => null} />)
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Ada' }))
  expect(onOpen).not.toHaveBeenCalled()
  fireEvent.click(screen.getByText('Ada'))
  expect(onOpen).toHaveBeenCalledExactlyOnceWith(people[1])
})

const crowd: Person[] = Array.from({ length: 10_000 }, (_, index) => ({
  id: `p${index}`,
  name: `Person ${index}`,
  age: index,
}))
const drawn = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .flatMap((row) => row.getAttribute('aria-rowindex') ?? [])

test('of very many rows those in sight are drawn, at their place among all of them, and all are selected as one', () => {
  renderPart(<People rows={crowd} fill bulk={(rows) => <span>{`${rows.length} chosen`}</span>} />)
  const table = screen.getByRole('table')
  expect(table.getAttribute('aria-rowcount')).toBe('10001')
  expect(drawn().length).toBeLessThan(60)
  const frame = table.parentElement as HTMLElement
  frame.scrollTop = 200_000
  fireEvent.scroll(frame)
  expect(drawn()).toContain('5002')
  expect(drawn().length).toBeLessThan(60)
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all rows' }))
  expect(screen.getByRole('toolbar').textContent).toContain('10000 chosen')
})

test('keys walk to rows that are not drawn yet', () => {
  const onOpen = vi.fn()
  renderPart(<People rows={crowd} fill onOpen={onOpen} />)
  const frame = screen.getByRole('table').parentElement as HTMLElement
  Object.defineProperty(frame, 'clientHeight', { value: 400 })
  for (let row = 0; row < 120; row++) fireEvent.keyDown(document.body, { key: 'j' })
  expect(frame.scrollTop).toBeGreaterThan(4_000)
  fireEvent.scroll(frame)
  expect(document.querySelector('[data-current]')?.getAttribute('aria-rowindex')).toBe('121')
  fireEvent.keyDown(document.body, { key: 'Enter' })
  expect(onOpen).toHaveBeenCalledExactlyOnceWith(crowd[119])
})

test('no rows are told from no answer yet', () => {
  const { unmount } = renderPart(<People rows={[]} />)
  expect(screen.getByText('Nobody')).toBeDefined()
  unmount()
  renderPart(<People rows={undefined} />)
  expect(screen.queryByText('Nobody')).toBeNull()
  expect(screen.getByRole('status', { name: 'Loading' })).toBeDefined()
})

test.each([
  ['-modified', [{ id: 'modified', desc: true }]],
  ['name', [{ id: 'name', desc: false }]],
  [undefined, []],
  ['-', []],
])('sort %s is read and written', (text, sorting) => {
  expect(parseSort(text)).toEqual(sorting)
  if (text !== '-') expect(formatSort(sorting)).toBe(text)
})
