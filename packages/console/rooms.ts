/**
 * What goes into one file of the build where several screens share it: parts that come together are asked for together.
 * The first that fits has a module. Everything else is cut by the bundler where screens share less.
 */
export const ROOMS: readonly { name: string; test: RegExp }[] = [
  { name: 'calendar', test: /\/@mantine\/dates\/|\/dayjs\/|\/ui\/filters\/range-calendar/ },
  { name: 'form-state', test: /\/react-hook-form\/|\/@hookform\/|\/use-zod-form\.ts/ },
  {
    name: 'table',
    test: /\/@tanstack\/(?:react-)?table|\/ui\/(?:data-table|filters)\/|\/(?:Pagination|Tabs)\//,
  },
  {
    name: 'layers',
    test: /\/ui\/(?:layers|forms)\/|\/(?:FocusTrap|Switch|Textarea|Radio)\//,
  },
  { name: 'pickers', test: /\/(?:Combobox|Select|MultiSelect|TagsInput|Autocomplete|PillsInput|Pill)\// },
  { name: 'places', test: /\/ui\/geo\// },
]

/** Small parts and declarations that nearly every screen uses, signed in or not. */
export const isSmall = (id: string): boolean =>
  /\/src\/(?:ui\/(?:page\/(?!wizard)|marks\/(?!diff)|pace\/)|api\/(?!use-)|i18n\/)|\/ui\/(?:data-table\/(?:flush-table|cell-controls)|charts\/series|forms\/segmented|places)|\/(?:Tooltip|Skeleton|Group|Checkbox|SegmentedControl|FloatingIndicator|InlineInput|VisuallyHidden|get-env|use-debounced-value|use-shallow-effect|use-timeout|get-auto-contrast-value)\/|\/contract\/src\/(?:plan-features|plans|versions|record-types|text-parts|overview)|\/domain\/src\/billing\/money/.test(
    id,
  )
