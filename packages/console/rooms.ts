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
  { name: 'pickers', test: /\/(?:Combobox|Select|Autocomplete)\// },
  { name: 'pills', test: /\/(?:MultiSelect|TagsInput|PillsInput|Pill)\// },
  { name: 'places', test: /\/ui\/geo\// },
  { name: 'numbers', test: /\/NumberInput\/|\/clamp\// },
  {
    name: 'cdns',
    test: /\/contract\/src\/(?:cdn-management|nodes)\.ts|\/features\/cdn-management\/cdn-names|\/ui\/charts\/share-bar/,
  },
  {
    name: 'steering',
    test: /\/contract\/src\/(?:routing-strategies|vsr-rules)\.ts|\/features\/(?:routing-strategies\/(?:strategies-read|editor\/back-link)|why\/sample-visitors)/,
  },
  { name: 'versions', test: /\/features\/versions\/(?!version-history)|\/teammates\/role-words/ },
  {
    name: 'page-parts',
    test: /\/api\/use-|\/shell\/(?:access\/gate|scope\/choose-domain)\.tsx|\/guide\/domain-choice/,
  },
]

/** Small parts and declarations that nearly every screen uses, signed in or not. */
export const isSmall = (id: string): boolean =>
  /\/src\/(?:ui\/(?:page\/(?!wizard)|marks\/(?!diff)|pace\/)|api\/(?!use-)|i18n\/)|\/ui\/(?:data-table\/(?:flush-table|cell-controls)|charts\/series|forms\/segmented|places)|\/(?:Tooltip|Skeleton|Group|Checkbox|SegmentedControl|FloatingIndicator|InlineInput|VisuallyHidden|get-env|use-debounced-value|use-shallow-effect|use-timeout|get-auto-contrast-value)\/|\/contract\/src\/(?:plan-features|plans|versions|record-types|text-parts|overview)|\/domain\/src\/billing\/money/.test(
    id,
  )
