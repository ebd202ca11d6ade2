/**
 * What goes into one file of the build where several screens share it: parts that come together are asked for together.
 * The first that fits has a module. Everything else is cut by the bundler where screens share less.
 */
export const ROOMS: readonly { name: string; test: RegExp; minShareCount?: number }[] = [
  { name: 'calendar', test: /\/@mantine\/dates\/|\/dayjs\/|\/ui\/filters\/range-calendar/ },
  { name: 'form-state', test: /\/react-hook-form\/|\/@hookform\/|\/use-zod-form\.ts/ },
  { name: 'pages', test: /\/Pagination\/|\/ui\/data-table\/pager/ },
  {
    name: 'table',
    test: /\/@tanstack\/(?:react-)?table|\/ui\/(?:data-table|filters)\/|\/Tabs\//,
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
    test: /\/contract\/src\/(?:cdn-management|nodes|simulated-cdns|snapshots\/edge)\.ts|\/features\/cdn-management\/cdn-names|\/ui\/charts\/share-bar|\/editor\/effect-shares/,
  },
  {
    name: 'steering',
    test: /\/contract\/src\/(?:routing-strategies|vsr-rules)\.ts|\/features\/(?:routing-strategies\/(?:strategies-read|strategy-input|order|editor\/back-link)|why\/sample-visitors)/,
  },
  { name: 'versions', test: /\/features\/versions\/(?!version-history)|\/teammates\/role-words/ },
  {
    name: 'page-parts',
    test: /\/contract\/src\/security-switches|\/api\/use-|\/shell\/(?:access\/gate|scope\/choose-domain)\.tsx|\/guide\/domain-choice/,
  },
  { name: 'events', test: /\/event-feed\.tsx|\/notification-words\.ts/ },
  // Fields that the editor of strategies asks for when it stands, all of them at once.
  {
    name: 'strategy-fields',
    test: /\/features\/routing-strategies\/editor\/(?:filter-fields|filter-entries|city-field|position-field|option-fields)/,
    minShareCount: 1,
  },
  {
    name: 'chart-parts',
    test: /\/features\/analytics-dem\/(?:report-model|csv|live-switch|use-chart-lines|use-marks)\.tsx?|\/ui\/charts\/breakdown/,
  },
  { name: 'setting-rows', test: /\/setting-row\.|\/general-settings\/screen\.module/ },
  // Last, since a room brings along what its parts need that is in no room yet.
  { name: 'analytics', test: /\/contract\/src\/analytics-(?:dem|multi-cdn|origin-shield)\.ts/ },
  {
    name: 'security-rules',
    test: /\/contract\/src\/(?:access-control|account-takeover|api-protection|api-schema|back-test|bot-management|crs-rules|custom-pages|edge-requests|firewall-rules|http-header-rewrite|origin-rules|shield-regions|security-(?:expressions|rules)|web-security)\.ts/,
  },
  {
    name: 'web-security',
    test: /\/features\/web-security\/(?:draft-effect|verdict-view|back-test-result)/,
  },
]

/** Small parts and declarations that nearly every screen uses, signed in or not. */
export const isSmall = (id: string): boolean =>
  /\/src\/(?:ui\/(?:page\/(?!wizard)|marks\/(?!diff)|pace\/)|api\/(?!use-)|i18n\/)|\/ui\/(?:data-table\/(?:flush-table|cell-controls)|charts\/series|forms\/segmented|places)|\/(?:Tooltip|Skeleton|Group|Checkbox|SegmentedControl|FloatingIndicator|InlineInput|VisuallyHidden|get-env|use-debounced-value|use-shallow-effect|use-timeout|get-auto-contrast-value)\/|\/contract\/src\/(?:audit-log|plan-features|plans|versions|record-types|text-parts|overview)|\/domain\/src\/billing\/money/.test(
    id,
  )
