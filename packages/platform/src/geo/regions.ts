/**
 * First-level regions as the product writes them: codes for the US, China (GB/T 2260) and Taiwan (ISO 3166-2:TW),
 * English names elsewhere.
 */

const table = (text: string) =>
  new Map(
    text
      .trim()
      .split(/\s*\n\s*|\s*;\s*/)
      .map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))] as const),
  )

const UNITED_STATES = table(`
  AL Alabama; AK Alaska; AZ Arizona; AR Arkansas; CA California; CO Colorado; CT Connecticut; DE Delaware; DC District of Columbia; FL Florida; GA Georgia; HI Hawaii; ID Idaho
  IL Illinois; IN Indiana; IA Iowa; KS Kansas; KY Kentucky; LA Louisiana; ME Maine; MD Maryland; MA Massachusetts; MI Michigan; MN Minnesota; MS Mississippi; MO Missouri; MT Montana
  NE Nebraska; NV Nevada; NH New Hampshire; NJ New Jersey; NM New Mexico; NY New York; NC North Carolina; ND North Dakota; OH Ohio; OK Oklahoma; OR Oregon; PA Pennsylvania
  RI Rhode Island; SC South Carolina; SD South Dakota; TN Tennessee; TX Texas; UT Utah; VT Vermont; VA Virginia; WA Washington; WV West Virginia; WI Wisconsin; WY Wyoming`)

const CHINA = table(`
  11 Beijing; 12 Tianjin; 13 Hebei; 14 Shanxi; 15 Inner Mongolia; 21 Liaoning; 22 Jilin; 23 Heilongjiang; 31 Shanghai; 32 Jiangsu; 33 Zhejiang; 34 Anhui; 35 Fujian; 36 Jiangxi
  37 Shandong; 41 Henan; 42 Hubei; 43 Hunan; 44 Guangdong; 45 Guangxi; 46 Hainan; 50 Chongqing; 51 Sichuan; 52 Guizhou; 53 Yunnan; 54 Tibet; 61 Shaanxi; 62 Gansu; 63 Qinghai
  64 Ningxia; 65 Xinjiang`)

/** The data names counties only through their towns; those whose county is certain are here. */
const TAIWAN_TOWNS = table(`
  TPE Taipei; TPE Taipei City; TPE Neihu District; TPE Muzha; TXG Taichung; TXG Fengyuan; TXG Wufeng District; TXG Dali; TNN Tainan; TNN Tainan City; TNN Yongkang District; TNN Xinying District
  KEE Keelung; CYI Chiayi City; TAO Taoyuan; TAO Taoyuan District; TAO Zhongli District; TAO Yangmei District; TAO Longtan District; TAO Bade District; TAO Daxi; TAO Neili
  HSQ Zhubei; HSQ Zhudong; HSZ Hsinchu; MIA Miaoli; MIA Toufen Township; CHA Changhua; CHA Yuanlin; CHA Erlin; CHA Beidou; CHA Tianzhong; CHA Yongjing; CHA Ershui; CHA Shetou; CHA Pitou; CHA Huatan
  NAN Nantou City; NAN Puli; NAN Caotun; NAN Zhushan; NAN Lugu; NAN Zhongxing New Village; YUN Douliu; YUN Dounan; YUN Beigang; YUN Xiluo; YUN Citong; YUN Linnei
  CYQ Taibao; CYQ Puzi; CYQ Budai; CYQ Minxiong; CYQ Xingang; PIF Pingtung City; PIF Chaozhou; PIF Donggang; PIF Hengchun; TTT Taitung; TTT Chishang; TTT Guanshan; HUA Hualien City; HUA Xiulin
  ILA Yilan; ILA Luodong; PEN Magong; KIN Jincheng; KIN Jinhu; LIE Jieshoucun`)

/**
 * @param state first-level name as in the data, city without the part in parentheses
 * @returns code or name without `-` and `|` (they separate the parts of a place key), null when unknown
 */
export function regionOf(country: string, state: string, city: string): string | null {
  if (country === 'US') return UNITED_STATES.get(state) ?? null
  if (country === 'CN') return CHINA.get(state) ?? null
  if (country === 'TW') return taiwanCounty(state, city)
  if (country === 'HK') return keyPart(state.replace(/ District$/, ''))
  if (country === 'MO') return state.startsWith('Guangdong') ? null : keyPart(state)
  return keyPart(state)
}

/** City name for a place key: districts in parentheses belong to their city. */
export function cityOf(name: string): string | null {
  const city = name
    .replace(/\s*\(.*$/, '')
    .replaceAll('|', ' ')
    .trim()
    .slice(0, 60)
  return city === '' ? null : city
}

function taiwanCounty(state: string, city: string): string | null {
  if (state === 'Taipei') return 'NWT'
  if (state === 'Kaohsiung') return 'KHH'
  return TAIWAN_TOWNS.get(city) ?? null
}

function keyPart(name: string): string | null {
  const part = name.replace(/[-|]/g, ' ').trim().slice(0, 40)
  return part === '' ? null : part
}
