/** One layer of a network. */
export interface LearnedLayer {
  readonly inputs: number;
  readonly outputs: number;
  readonly scale: number;
  readonly addedScale: number;
  readonly letters: string;
}

/**
 * What the network of the voice detector has learned (docs/decisions/0044-voice-detector.md): for each layer the weights,
 * row by row, and then what is added, each number as two letters, to be multiplied by its scale.
 */
export const voiceWeights: readonly LearnedLayer[] = [
  {
    inputs: 184,
    outputs: 48,
    scale: 0.00133234,
    addedScale: 0.00458961,
    letters:
      'jFhsibhwgLhAeqfdfqeueLfbcrfrfsgMgvh+gMbcgWlOikkvjBk8jCkzkIfwgGf9jji4l5f1hKjbgukUgJbld6gXhvlvhhi2h0hjhEgcfJgmi2gOejdmdyf2' +
      'ere7eyfMdMbVdEk5jIi8g4lbiggbhOhzdGlWkglzjMkhexl7l3evf6cLege9o9h6c2gDdqcxiDjkeHhHiuhQeig1arkNh9fNhYhMdxe8hpnMfKoLgUjRg6hx' +
      'k+kkc1jcizdwbcqRjZe6h5lFmAihjZgFief2gphxhAeZcml3g6fkinb2hggJfyiLesfZfjhdbcekg/qHg+mzk7jgc5eXcXdKTDdbf4ejTOZ9iJaFbsktlGgV' +
      'kLmsc+YEfSjckBklkbmzhQjajEggfgd5h8jZlXjOjnjOh1hohEeKkfheg7fngmhFf/iceNgqe0e7cHd1dhgUhzgae7cWZ4W4ktpobsdAe7e5cxcQZ7difUdE' +
      'cKd1eAeYcxdKdleacleDeycCh7d4b3dud3ZhahZ+g/kRmQm8h4e9gYfScue3jYjznQloYIdCfnfriqgtgahmhIkSlagFffgdgRhFhUfagtgGgHhjd3bGjeex' +
      'fOg2jXjbkqc+j1gLj9hUjEbndYcffJixgseLgxhTgse3d6fte6kVgXi1hhl7h0d7dPhYeCdKhtjwjZkYdIhLZ6e4k5WBZRgYj7k8imVJY+ZiiDcWdbgxqTmk' +
      'Y0a5flfDf6jwfVbIereogbeSieg0gRghdPeDgrfAebergEgAd6eZgxdGf9fNe8gvgRiYeiiPiogrk/hae9hog/jofAhSgicse6eNhRkChwiid6ejgZbZhVet' +
      'eqexdndlfmftdLgCe1iMgWd0hnd9gEgxeXhbgwjHaPdheKcgh5ipfmk4mYhPdYhKmrjFjWg3fmigiljAbsiWhUcWnKdogOiQezaFiAhfdBcliQljhCgZkQZA' +
      'e3iog8g5e/hfhrfIf0jYnpeWYZajZAemdFaTipXSaLcxeshzX/l5gSlAiHcJpoegdOgIiieYikg/jViti2f2foiwpxfxergVd6jYhNisewcWg4e1kEPVUNXB' +
      'kYxpjRb3hufVYYm3kPl0W9s3ezgagwgAfRiGfggWhIg2gQhYfogPgXiCgtfbgrg9hXgsfAfUdQhfhafkfVezfNdub2eDkFipgyhndtdScFfxjohkd9gkf+eK' +
      'eKe2e4gTglh6fEhchmfIgOfpdhfEglefhof4gYfWcIfefahWfYeicOgSgVimjUewj9gdghb+hjcFcYifgTfXiIesksi0hKeZexglf5i2ePdwdCiZdtdPe3dC' +
      'd1eQi3fFfne2gxkMcwedf7m4ijlAjqbhdHjDdFgiilZlcHc0cyitdIipzVmFjIiPdPf7cueZh6kyiWdOjZhTc5b/b9cZgMf5hteVeCeEeIcTXzZelYfAmBqZ' +
      'kVjThZalOaeIZlPsezWtiGfznik1t+xEcsg/hqhrhMgahcfgg2f9fpgfhAgFg3dugyjTiWcWc+gIfEiTfnfAglfAeKhefggXixhPicbnbecjdacihQdEeXcE' +
      'nXiGaYfSjhhZgThOjvgHiTgZe9e8fugofxemfZidhBeifMjCgQiujMdkgfhPhqgUeWcag2gJdIfmfUleiOaRfzc3ekdMs4iGdReOe9gJe+fDfSeJhzfIe3dB' +
      'fgdsgjgrfOgZfudGfNhbkNexe/YJbriEaXf+f8iCfZb6gSkiq4tLjgZYhBgXf9fvmhg7bljEl/oHpVimoLiXcTdTfSejbsafa/gJhyfJfff0g9idncfdbMWM' +
      'ZajMUYcEcFxEt3i7g2qdhxeQaYRAd0jIhqkDiEpOf1fpehfefcfgfvefebfFdufFgPgcgvere1fMeYfngagJh9iZhGiEiSidedhwhOgyjYeueUenfBeYdOgS' +
      'jFiXimi3dej2g2gvhKgKhRf+jOhjfigihQfgjojNgPgMd3hwg5fsgndxfxfmjodnlpltjPmRjDiJgGZobAi4kBa3c+hUitg8e0f3VnmeixgFdxgliNiQgmi0' +
      'gojbfHgUjhjYgBibhPd7ehgEe9gGaTgxmGgVj/iUbdkphBdxbuZYpFdhhyjZfAcgdhjqeKe9c6kxeEeifHgyk2jYhigGiGi7b2f4f8ebeAczc9b1cXh7hzif' +
      'aqkbf/cSdbpqWwl9kjj3fRf3lIaWY9X6dMeagOlXiejgdtgVhfgPgVhigOhbgngQgQiGhkgcfRfZd5d9gbcThsfJfYfWctfjd7egfEeHdRfqgFeHdtfXflhE' +
      'gqiHdhizfTcLgdjufBhQibcqi5fSenh9gfeOgNiag4hycUd/e3dofFc7f3cofUe3gdhffAcvdWeUeLe0dAdreLhQjJfxfoglh/fjh8czfEiifef6hvhMdajC' +
      'f+gGhseOfHiRhwe/btfZf5e6f7fYgzhJg2fweligiujKb5ejd8kIdPiweDX2NiYjaeYCaZgea+fMfblkfofbYvcjX8ZaiEeHfBctj2hwf5fwdahqhEeCdobP' +
      'ggiVf7hFgMcLkynSirlklegOpkdmPPc7lZffdUWRbRh2ZahGflgIkaY3d3gVhbfrexfLf3h3hGhklGiLknhygkeygRc9lPjugkjji+h5h0iMhPfVf9gbf8fu' +
      'cGd7grc7grfVcEd+honFg/ikeziPa6hDiDeghLgMhOf9gFhzhcfxiNgYdTb6eleiicfPgJdahFiFhwi6hmjFiPmJegbwXegDbvgph3dEfJgNjBiIjSdLqReg' +
      'ZucVhpeGh7eyhqcUcfdnfadviPctccfjgrhujQhte6gkiVcrdBjxg+fxiBeLgJgfTqddjohTnQkskksRiceteEbqZBfzdkhCgFYseqdgkud0hHfkfAkQkzh9' +
      'hQjsegfyf9jgifl/lBcjZ4lgaodkr2nkgejaiLh+fsK7XmkAZ+n/dAY4aTcunigFgLhPhNh0gog0e3epgPhjcfh4gxepgrdLgVhjeciqfIerfyeDdxeZfsfc' +
      'fcgXeng8hugYgGg6dRjPf/Yug2ffgYg6fyf4hZiqiMf2h/ged2b6gheldjhVfLd9f7c9hBgNcHitesgAjWc0ehbTgNfRcLjTdHgeg0e9jbjNkalgi5VWfQhj' +
      'eOe6guk3kKixibcBdqgDdxdvh5f9eqjPfqeihKcOiLfbdkcFgshMm/dCZHTEZSbGdbjVZljrl0pWiXkYq2qMl6Yegie2f3fQX7iHfVfDhGbrb3eldhg/eugr' +
      'cxiKaGftfRY4g2hUjfgMjtmYoTncaffrnIjehZrOdJlMkviRNpRLVFfNcLbLkld6cPXWhfbMfQdYiEfRfohSfNhlfve/fghgfafJeSfFhbfjeqe6fYg5gMgn' +
      'bwhof8dXfud7fpgbdtguhPe0e5fpiGghh7fueUdCfnkTf2gbikcvfriziFjThPeGfZfofNfPgdfFiuhHehdIfIjmgid+YneSeKbMg4cofMeui7fliMiDdmcZ' +
      'gHhEfBiCbieEeQmThVc+jCaHdifudogXeadXdSeDeGewcif2kWehgAdfdihJi0b+cYf8ebbeiScMhjbPgOY3VwiBYBcrbhg4fafpfAiGLnctemeRfrahXkec' +
      'ZwktfPayixiblFhPikiIiTi9lNf4hoidh/X3ask3cxXwkgcehzWwnRiVhncHTsXsOVW9i1f+bpfHcvPSe1ead3fSgogahYfBgMfdfMhJgEf3eSiDeMfhfRg7' +
      'hCgqdofpd3e+dZdpeCekdbehe9e9gEeveYd3dxdIfhgpfWfPhHcugRgfgEgugGgDiRhliRc9fjfbh9i6hTgRble3f9f9jAjQdBfadMf0d1bne5jJhrhqi6in' +
      'fejbh7fNUafKfNcmfWkhenfVififcVf5fHfdf5gHejcLgCengzdmdwgYZTcrcsbegHi7c0g9eQchcdeQfZj3c1e5nWf9fDZTlJayOJZ2bygen2koWXeCdJkj' +
      'fCcxlwhdhYgcdrcId7gkjBe3f4hbehgNiagElfkuh9lwh/efexfOd5jxgcY/lihaeceVl/jAbLflj6ipeKfDbqT+gCfdg6f+gpcUfFeHf8fxgRe9fogUiJdq' +
      'c6gNhCiRfcgLevgWfzgwgFkbhDg2eogjgYe3eYfBdXelf+dkcbZbf9eBhyfvihggkBgBh/dFduhBfqhOhJfxhefajxfNbieAgxgGfIg3iFgwdtdbeqjveqef' +
      'hMg2gxejeLiVdEhVlBfIj2c7jFfrT5gijWjcjFckgbaAcrgVdwgogFhJkpg/hNcIZ1fbbGjAkcjFlTiNadatZNj4k6fFc9eUZLesl4h8aJeFhIjOfpcOlzne' +
      'orshbKf9YKcfecWUd4fgfdhjmLqSnOiKmyfulajcdndZhvhQmfiaXseqe1ekq1ZsbhrzXcW8QeXVZfg4zAa3aBQ2jWiLg02CdMhrg5iPfIeifqfAgJhAjUgY' +
      'f1gWgAgQffctgOibiFfvgIdBendie7gjeBfCercqcdewgrgdg1iOdQgvdxevhJgPlIfhbcjDgCjVg6fHjNgKg6hXkug2fShdfgf+f3dvgjjFgYfFlDfPd1bg' +
      'eefvhje2fNaleKcbh7jMhzhJeXjhhTfxg2fCs3ileFjabXijhkcMcvhRhojgmJf0beeDekfWhwdyiSiugGgnnDinfQgjeicDb9g1nzdxhla8lmhrcxiIkplw' +
      'gUgHZEcnx0jcbXhBWMcSdpWiaRdCcpfohVdLcFflh/eUhzbWhUhhhGgEkChBf3f5bVW8WVd3hxhSZAn/z9n6sog2dVlblLkAhHhgprpNhHfPg3gkjlgmgEg4' +
      'gYgmg0f5gGgniMgejdhGgZfzeQeLeshGh6eydFeFgofwfagWhUd7gsdDcoeIb3cyb4c8gHiMhRh4jCcIfvfpiXg8iRhOdFepgnfodzjaivhngpg8gNg+hGf5' +
      'daaufAgBgHgjgtfTc6ccbTfrh9kcfzefaMdcZ8bjftqUedh7i4cNgEgcjfeBgLdjdHdnd5adfqhYfqe5eUfndZgcf7eHeIYUfrmekZaDjJdHkWbueUY+hLgD' +
      'XegGXRZxVJezhzqrc7e0dnajc0b3pjeygZh5iXfyYNangngrhMi+e2hheMkNiahnhSfYeNlZhYgxZOhowmdDZqa2g3S8XXjqXih+UzbofQkyUrg4gcfaiuhD' +
      'hig9gtfrfSc9d0fBgqeefVgye5dbe1a7dZeddTiveoewdyj0h7f2hPi7i2fbg+gXkfiefagWg1fleRgffxehftezhlhij9kDfvgAiWcYftgFgQf9cqgKeccq' +
      'dqdyexjNeDiaeMj3hNjNaHXvidiBghgFhIgHeufycQaWgQgRgFjPc/gphleXiWhZfwimhxjnhIcieldehge1fRkLf+e1gTenhkjkjadYeGkGk3hzXSg5jmn6' +
      'eId0kUhHahfBahcPfAgxgoh7d3jNeEcrezZ1b7c/gEiIgQeRe/eciWfUeYkCi1hjfdd5digBjPcccvhpgnczhqk5gmsAp1dFiEoTpGoph9dQjileeffP//fg' +
      'fKjEfvj5gag/gkg2hqfmjMiSghfVewgpg4gOfgf0i5hZhNe1dgfti8fye5cweFgQfuhWf8iCgjhtg5iJh3kKeHgxdve3ffhYd6fteVgEe2fvgIeNfihyfLgS' +
      'gYgYhRg7d8ekhjeDhZfOgqemgsichPkabWf/eicBhuejkNepdolAjhhVeUdydbclZShReGfye5iAhUg0fSdzeOftcXh2fOh1fvfVeeh5fLfZg4lkhtgqelec' +
      'j+jAf5oKjVjTjFeGjmidePhoi2grefhjadazauiVlQnheTjpopi7d4dZhFd/fpi9jRgLfkjzfAktlzitgpdPdoggi6PGhhehXvkRYRnlg7hklSk0fHdsmxjb' +
      'cDjSp6M5gpesf+gDhEgLgJghgUfagAgvhphtekgwglfPfBfxhEelgWiPgUhggRhQh9g1gDhhhKgbgLf7j8gvdEiKg+g9fMhwdAi5cah7f7gofRetfigVf+fC' +
      'fTf9gWd1dweDeueLfgiKg5cYeNi+hIeggwdIdQduf5kekmf5iQeyg7bOgjhpg4edeBeqbagiivmrl0jzfsjGfqklkmhlfbhgiNg/dWdEidfph7fQd3d+dddi' +
      'mWdZkEkccmhEhNcEiEY0a4nplqhpcimPhUfCZ4ffMzi0o1hXkKfCa4gBdIekf2fPetdbhXjWg1dQgYimkZfBcPfQgYf8mKgPgAn4o5l9VwYSiZSCjl44jsX7' +
      'crmEfvmAfohBAnjRe3ifhKglgrhagEjKjAjOhTirgDihfsjkiJiVj1g+g7kZhCbhbyg5iHdmdjecgFfdbXihdjccf+begTgRbTalg3mFggeSdrf6fxfhfIeI' +
      'ech7gXh7gzjNglfxfygqhbfAfmgYg+g5gta4bYiRlsdHi7i/pTlHgMgYeIhzYaYxbQjaY2ZLc4k9PAbPeXhkd2ixhIdZdobFfRhzg5gWcLeUgThHeYcBhXdM' +
      'ePesfoYlYLhPjqaKfQWpcHdnZzcfa5eMdwcge2kac3iMe4jBc2ZybWj0gXijmWjbjLiOimgggHd1hMfzhAgvg6cyjrddgvc6fRf5ixhJXPdzgxZDW9imf6i6' +
      'esj9f9l+j4n2cgX7fEgYeYgEhGduf3fYgaiSgHgFhAeZezgUfxf4iLffd5iWgSfVe7gcdvhYecfid0d2gOeUfpgNf1e+endrddeQjYfReRiSeufxePaNgVeO' +
      'kpixiZhSh9hogXc9fihegIi1ijf7dbivgteme8jHb7kFfgeIgfcPhIdScXjrkYjVmSfNhSfzkxdScZf1gAlcZUauiPcfnKf1fyfihEivi7fKeEfggNhmhGeH' +
      'eciUiNe0gGe0dyjhh4cuWfYZctiAa5lEdbZ7UVcQdChknzmOh8m8ikiqcqerZXZelrkDiUgokllxgphMf6gpf7hTeNa5e2jUkpcbdaYIYjnGi7dkf7YAeIor' +
      'md2PZiiGfsfVcxl1o8jOhUjcfXe+QLltdvg0hAeZijhYiJgNfxg0fNf6ePeNfPhghMf6h6jNhBelh3fYhpiNexf2fhgEgugEgkguiIiKhpiXghfCgmeoeBZJ' +
      'g8cKhufogTfIhdgcfde/hygscddqfuflgBiZgAiajrgqhJbSird5iwiCeUfTgpeVf1gHi9f5i+o7d3d0cijSguhplRe+akbndneUdOd5djhigShJh3h+cOe3' +
      'fnhDhCiSi7iNhbiYfvZdidcNi/ikXZi1eLhkjUfrlMpMdGfghAiZbIf+YlbJl3hUaEdziKlQd+lwiOnEjAfYhadgZhbeb3jcfkknjmb/cwe/fBeEdtYEi5m3' +
      'iHi0aPcyjXc7lNiffmnqlMpNdwTAR3YtfCjbWOqXe+fzf2gDfJe5e7eugOgNfqeLghfaiGgceFhwe/fud9jvgFfLfIiPgBdRdaishKhiingqgdgteQdhe8e9' +
      'f0gsgOpoVIeEgvhogDdrfPeofVfqgagCeIgrcSf9i2exeUe/cLglb2ikiVjhiJkId/ZRfNh3hTi4mvc7cbhJePe1npiMbVgwfLiXSMeeisd1fNcRhRiGljg2' +
      'fcgEeciIetg3l8ijgeeUavdvgqgAglfqfOiomspPsjl5eoi8hchxrQgni2iopKbyVLeXfkeRmHgllJfLjThchTjQjEgPiqkndljradcYlXlxnVmMk0iAi1a4' +
      'dHhcjOZ0dNjYlxg8XtjUX7lZstaJh5g1qRojjIjjgCWwnjhdithrhbfghvhbgReWhhf8f2gBiofufHhPg1fEfigLhpe7fRgYicidgBg3hWiMeOgWfBfkfCg1' +
      'khkAjMi3i9lefuf+hYgZiZahdcdPemdMeFdthFgeh9fhghhgfDeudugJgphHeCc3gng5gkhTfZfPhimmgrm9hyhQhng2bXgHgAlUkFmyfjmCbaeQlqfEfod9' +
      'e3fzeGdggKgyg8dshEjygGeTdEghhIfEhKdziClffyn/eklzjLhRcofmfThIkbjbc6lrgUiJg4j3enfcW5gGnwijhhn9sBgIlAfYdrfqgyd6gIhFerd6eEew' +
      'f2fKcihRg2g8XzjWf3c3aKdcbQW6ryiGbiivdhggoRcRouj0gwkRT/hwgohudyg1g+gFijfmh4hrdocgcudmgNgNfqiVhwfYf3a1eFfvksgCh4hyh3jwgrfL' +
      'g8iKhph7iUkZlbiJg3gZeGbJiwW7gXi5ddgsfahjliftjgiecneQdtgxf8fdhVgEh7igiGdnjFiaiNbPfEf6dkapddh6dQlPlZhietgri5i3lqi5iCeqngQa' +
      'cGkWaYh0efceicgPlBmEiDgghngcj1gjd+gDi9hXj4gemteljiefjhd1oFj7cDflh/nFdIhfjmcZbKlSgMjCbZb+U9bgeDdufMgsaJYBVngFhfmmjbdvfWhw' +
      'jJeUbgWRi6eonMiVoOdkf+hfiSieuUpkglW4ltg/b/R6rPpdkykEmge0kHcefpm4cpdOg/iwgugThCeOgPg1hFfNfqexgoc5hNg1gQhphLdMhVizeNd0gzeP' +
      'fhhXjLgbhqlei3fnczhDhxicd+e4eNkPhpjqdFcsh0j6e8i8iNd2f5eWilgbgeidfifPgehqgigYkkbHj+lCeRfFcsczf8kPd4YCddhLhwjDecfAduidgfe6' +
      'c9h6holJapbeg6m1hzkGeaexhZecjKfphGgreghMhKgOhygEciZLhCmYd1h1bxdIdwkWkqZXmHa2hlbVWKlqgZh1c4e2cvbwfQjlcvY7cVh/dVgHbOjvqif6' +
      'hQbvd2h8fLeUbDdHh2gsj5dtkcjFcNdvaOeQbLrst7fTqYiAqtS/Q8m7nOiwiAfdg6gxOIjkgBfHeHfOhPhNdweefAgOf8dYh5hAewhBiYhdeLg1gHhLhMfL' +
      'fqffd1d3g4gqiNgchik2dUeIepdIeUemfvhkg1fRYteYhBe+h7hQgnjTe8fedkgXg7dkh+h0iPiQi2e/b/h8fQeclBhlg1eBfijAa0h8i/dchsiJgCg6kRfd' +
      'cmbFd7b/hDfvhBcblPh3k9hzkrjXbihvbyifgFetgPi4efffj/hIeyi1f4gVlJmQgId+iCe3ZshviNdfffdlc9gRcEXOe/dcd4chfnjjoQgejCiUfvZgcXc+' +
      'ZXfwaXk1kKdcivh1f7h4kuembfc9asc4hjk1ZofUmtZ+Sla3j0ltkiMgKAOFfqbfZtXNhFe9fYkMf8nWi3hfhOd7c0fpfDfMgaeViLfwgtgFhBiKdng4iRgq' +
      'gOiLfUgnf/iCjxhRg2hAg8hDfMhNiFfafNdDgMf1gdi9ecisiLgBgDehh7hLeyhXhgeuhDgKgtdXf3fXgFh5frgpkffZcjeLcweNjJlgk2kBjHkZgLg/Zufw' +
      'gvd2g1eakPi5eEjBc7dhjNhWcLgckReefLfpgmesl7ipjgaBhKe0dFfTdDbpp7gii4fxY4hji/f2mNlBfdhKjCfzdWpKiTdmendndubmnNh3jdi/pxive8fa' +
      'duepfMjvivdFc0iwmabGrso1fRhblbhhqTb7g7WzaKcBgOdgiTc+dafzgHaRlFh+WbhHqVafameGfTgyjki+idn7hResfwiHg1hPgpfadfgJhagpcyhCfke7' +
      'iIjtiYgdimf+fjkLh9hqiWi1hfgJffhIeCeTeWhAelfAcYeFiJjciRfQhXiRjvfXh+fRhHjwjBhde/h2hOf1dYg4hMfigVh4hHgUiUeujEi5fsfTd6eTbMdo' +
      'buegcFgQhmfhgoiOdEdNrqkljveZmbc7jhg3gCgtfggXhCg+ebfuhIewd5hKeygagZh1grfagnbrhOlXiwgBeDgGfVlqhsgmXUh/o6m9dChaY7eJoVhFeqaF' +
      'nyazmBaihjlOhJhfhjhQf/hDjigtgVhHemhAcfitZQgRfXeFggXjg0kJgee+kqoLm8cbk5xGn2r9hIhNfffPfKdke5eCsqfahLgKe6fhfXhdd7gkf7cbglfM' +
      'h2fdfScnfFfzhfhNfwjBgeiKgmhahcfxg2eHhAj2jVmxi6gjfBcVgChefuf1gRmqf2dWhngmhmgTevf8fugRfjeXfQgsg7eofaeuelgvhRj4kJhYfvhrgmfe' +
      'gwa1a9egcliLkvgbisjqg5fNghiFdyh+j8htPZccePf7gXgLeCexfvhRfuc/gjf+gxgbhegMe9hVfBg0eadKgJntkegFe9drjNgVV8X/dudQipm4fejmcvgC' +
      'fSgogueMcHgbb6dPlwnyi0j+iTnNg0dnfJe3a1eiZQe7dhgvfZfRdBbPiig5hxX+YZjJoblxbKh8eTgaiifDVedQeig2hQbwlFikgofPk3gTf0fIedeyfVdd' +
      'eDdtdweVd8gRfbfQfpeTfwiNh6ksfmfsiQh0gofpb6eGfEdofEcid5fmfKeVfGhbg9gQfciJgwfymfelhwhLeiesfWfneyhddViIfufRgdfNfKhLj4iLiejK' +
      'cygfj6lteyhqfFeljHmGougYhPeRd3eqgmfygpYJgnbifuhWh5feiwc/e1eVffgbhUgCehiLg2gMiKhViBg3ingwghgoaEkElPkEcQf/hPdVlUgeh+mmitdJ' +
      'lGoYgCk8iXc3dPdJeQhKiAgejPf3dZephDdtfYbEeQgodVePgbfYe+ffbcfMf8iCY+gUohkXewdfk2jdfudtlYjCihQZb3aspCpsdAbrgig8fGjDeLgAf9fv' +
      'gEcReVgLhihMgTelfvfYfQfjhdfgfUgwedf7hAeefcf1eLh2dXexd4cKe9e1gPiogxeYhhj1dkfEfwhLhIisfkhGgOfvfLdgfiiQh2dng0gFgHe/gOhhg6f/' +
      'f/eYf3hti9fZhuhtgtmQjXefeXi0c/gwcujed4f9fNfLacbDfJlMVkkDicfMfQhJdeddh/gTf6fuiFjwd1gYfneujOefgSj1iQiHiScPbrfihZjfhnclf0eK' +
      'kNfpX7iZdlbKeKaEdTiYehnaGPhWd3j1clgke2eDgUgEghdZdchsi8fwfcfYf8dohVjDg4i7kGa0cDnkegctaqWjp7TYi2pHdbktnnfiQ5Ucf9mxeZjsGqZv' +
      'hPevdufceseDfRhIiUgahchnhtjTfKgfgLgtg6gvhbgJewh/dYeNcpdCgFfpfpf1eGg1e8ikm2k8kBiJi3mXhCmhWgekiRgPdye2f3dgeygXjsf7d5g8hJfQ' +
      'fhdKegjsgEfif2hOifnNffe1hFk/hzkehCdobMZkcxfya5fFfjgojSiNgBhabncpg0lWivd1iLiJerenhbf7gMete+gaengHflikg6gRgmgMkPmdfod3hOsI' +
      'h0k5dZkhg7ijkOjvdYgiizh5eogla7gdjjl/hWn0ktf6lKf7jGfchXczf7WycocCisfCdaeYdrcTaTgZhvlKX/areKkKbNfbaGngrLeDUaeQiPbQbCfPlJf9' +
      'fam5g9hEh2iZgdgEi4hggYhLgJgAfghbh5hSfoj8hegZhPhkhrikejblbKdrbfbOcMdqglh1fCfUgedifFeCZvZAfZfvjHiJbJkNbAdGfBePd8eBb2gEegd+' +
      'fHddefc1cNeJe0fmc3dFaBcdeQcIdxcYdsbfevd4itiCcxesewmfjvgwdrfwc4dhdPe8chf4g6fed/eeh6glbkgqi5f/i6c5f1gCdJe0gpgtd+g6fcfdiAlh' +
      'fLftcTbXaAeolfhAjsklcEgsboTgbldjjygcdIfEmzY9gkhXaYeUg4gle5drefgnjWehjTiNfadpi8fdjLkyi9g0hhmRjKk1edapbQaQmEeba8kYiLYcd6io' +
      'f6icc2iUjZbaiDWsfif5hHfee/gPhdiJfgfSewegh2gNjrigfrhgfjgHemekdKeuf4emcVdrc+dogLfIhaf4d7hnbEeTiAfDf/f1hkb7d/aue6fhilhveqf0' +
      'exfnf5fndYgChtfQh9jTfreYcpf8dYgrdxhkkEhQd2cbbUcKf1fgfMh6f/gcXFglfNf3fngUiihxidYWf8dofYf0dXdtdOf8glfigZhdfTb8fhefidfiffiO' +
      'hKizcadvfWhAeHXEbih7hyaifEg9VFYlZzbsnVpMk3d0jRhvxDa6kOgqjtiPglf8ebf2h2eufxhcgUbyeqb/hrePgXhkjxjUdMfyj6gQcEVmf0fYhxeRdUfm' +
      'j/bthQdIqffOp2gPlqdzqMlheegufDfjhAhYhTf8gEfJf0fYggiWgvjlidjVddhUaQaSghf4gri0hOlTg9gaewdGfmdKdYhwnakwj9lmi6e0cJVKglgVf4gj' +
      'hYdsgyegg6gJhBfuf2gthRgHeIhwgCeGdGiYb6cxfGbAfRibidg6b/fHiBeRfYgVb0fBejhHbDgDgch5iVYKeYeogDhNhAeJgLfsgafLiqhngWi6i2hihPem' +
      'hMehbdh8Z8dIgCcShsjUjBZ+bmeJeYkQlzgFfBg+h0fzcogYjYeTjmcpcbdmiugOavcWaDbtexcdf5hmlIlghHlSm/iniXiUYvgAUecxixbIdBlSlkiJgEhw' +
      'g5jeZqWjaLQoifbbs7nXiPl7gMgDWgkEeifyfZgdfrfugxglhMgvfNhPe8dciPdtdPfBdYhSgQfidif3eCcvgIb/fegJg1freFh7gXgVfEhOkHi5lvgMhAdz' +
      'iPj8iAhGhohGjbgMeuiAh9f4gXhMf0eohHfSd4fIeOfPdegOfGg3hCela2b7friXgKelhEh4iterf6kEg8fql9eTg0gNj8lKiod9hIfJmAf/e9fDeBezgEfq' +
      'cZdtfvfmgUgrd3jqjBiBbsiZkjeqbslej9l+dCg9YQfXiKewX+kJjKcVlJcfh1gExEkHWWWTWldEg8gFjCc6abdFhKpvnRhdmfgGh9mcZ7hsnqkVZLhwiCcv' +
      'fmjMh/kQUtZLZau01FndPLf3mwj/fBaJfqc1wAipeyfxiggbhri0idgTingThRhSf3fdewe8d1e8gUeXeliwiYkjk1kFlGmnoRoikHkphvg6iEghfYfMfZav' +
      'ZLaQY0bZqKfcf2dPgyfRgcc7eoeVfIdyd4geeCefgEgLhMiKhiickWi5did4epd2c1c9dvcBemcvYxfYdxj7q6m0qwmUm6oFoBlSZ8eFikf6fzffgKfRfneX' +
      'hNhDf0g9gLfmc+gjhSgAgsgZhcemh4h9mThbixh3g/etfKk6f9kfd/dIg6ebhUdTg8hYgqejjKftg1eRgogMgJfwihf/lXg/gqfge8eBbJeqeFgaiFgLjIZn' +
      'jZeLd8a4bkd7h0bCgpk/kPfocTkBhPXWhirejMdljheigOmceyhQhQfjglgGikhWfpe2fPfsiZeLgmhbgXd6ejfLeoexeofhd/hee+iiepgCjLing5jHhygJ' +
      'g7j9gIgvfKh1hYjhkykmkVhOe5hYd1e1nugPd+eoe4eriNf/hThIgYgde8fhgDidfBeQdbjPcEiOkKfnmSbai1c+hVhgjneSdBdsjckihlhng1kzi1h6fRi9' +
      'd7cgpJdhelgBbygIjAdZf9eSf2grdCjYgSiXdgdhaGj6cvdQnFZSgmfle/fhgaXjlNa4aLh9mGjskZnIQIicahcMa2cil5dWpEXxdWn2g6jahmcsgFe/e0hy' +
      'dOgGcRgEcjeBbgh0fmo9qHZxmkuNiqf6nWYgYkbKXKkFjEc0c5htdJfLeShheRgGfhcXfFfbgRf5feg8gBfcgEgTf4hlgaebfpfSgRdwg5gJeYhdgRjmmOnE' +
      'nZl7mOiJeqivonjDbyY3YjZoekg6fmgugce4hShGg/hUeUf+fnfqeieNe4hFf/gcfnhOh6c3hQbnh5hFjKtbkOjSfma1bKbCc5dyj6iri+hhiBd+eVc2iDeA' +
      'i/dRjMcKifi7iLeKhLgUfvfqgDf4gzgqfvgzd7hXgrfpingFp7iugcrIcia7apaAZyepgsqZlphcgyjKnRmbnnjkh/fyfOdsi1h6kxjgijhVirjggcfWcWe7' +
      'dydVejerbckIhMinh8efieeoeclBbQhJp9iVfBd2YPmanuVqjQj8gKdkl9k0d+pDgvepe/gihLe5eHd7eQfvc8fheihZf7fkhwhMfUfTgdcde3fjhaeLeCgm' +
      'f6gEhWedjHffh6dUecgxilgagkexhLg6hhmBgDfJexi1iZgWiKglisiQegiwdnjogsfHhhf/dFeZeScRhygYdMhignfibIg/fEdlcBbNfbhGcfeedojri2f3' +
      'iPhTc6pUinjQelkHgxg6jZfDmkj2iqkuf/jmiggBhEgxfSc6fhaNhMeZfmehj8qot/lalyeVmsmamuibaYdbayfLb+cCajXvUuoRlofrkddpgkaLXubFhOlO' +
      'dLhfddgGjFh+dEgOhYjefsZLcMhCl+d2dUizmOmJiohEjEjPZnWGjzmtixlGmFnYjZbJbTgAf4difnfZgGeVfselfxgJgZhIgKhcfmffeBeTinjojhiVdVeN' +
      'dqdhe5eJdZfxdWd5c0axa8ZhaWbwdWgGjlqfopmMc/eFh7fkhqgAg1fig5hChvgmgGgsf8iVe3iXfQg+hiexcXZ/fphafffqkUg0kqjEkFhygHgRddick1gF' +
      'jpXqY/aybJRknNe+f4g6h4eghdczeyflgygmeVfYeZg7gCg2ewhxhCiOe1brdClAbddXllZTf+X+jZfLijkXfOeCjvk8mrn4eDY2gYXriNc6cBenf9gOkxfc' +
      'hRiThBd0fCeCd2kXeNdOd6jei3dTebfUeadBafdTmof4eygQdqdojMgafsdjh5cAf/ppcpaKcmgDasjvdTekhAdQfKfhdwgGgHe/hNd9iDiCgZfwfSfagOe1' +
      'ckdAg9eQaMgMeOeDfUeHfWgAerfZbBfweXeqeffqgAikiPfYefeJcXg7gVfvhIgXhGe4izggiDc4hfgtfEiMhjjEf5dpevjyjYgAb2gafcf8hMhii7b6bKjK' +
      'X0aNe/dAdsh5a/gDjYhFldgZb8eTfGfecGdeiYdPg1gxicYTfjgPethtiskMgKdvc+i6lDdwbxhjjRefhVWfjCbKeViahDcfcbY7eWmNaujDiNiapBgVcye4' +
      'eXjqhDlOmvf3bof0cCVRcjcidxg3hYl2iZaiXYejsLbxZDlQjMfcfcTFcenih6idiAzoiHkEYSrrexffXUcEu0iHhSeYgAgRfVgIgPfcfWfMf3eOhOg5e0e9' +
      'eggGgPgpg3fAdLfOg8e9fXexb3e3gAhDgRghhHdefgf4eubheefteuZOhieWgCemd6kAdpekhHdEgjfTgJdxgcgRdAfBeqfgeFf5ecgmcNcBe5bkf1dgZtdA' +
      'fzjtfDdMjhctcifhele4iIhefYegfOd3gJeicsi+d1hXdQeUfjeXdpbugHhpcKfYg9f3byhGj1h4bpcAcScGepdWVNY9gqq6jNaJVFgUhqfSlWYxgMibkFfg' +
      'dTdAkTd0avdGcgivcibFb8d8dalGh6g+gCkThEieaofeh+jhgzidjWfokilIdyV2kkgriYetRJWrVNeMgCZFcXgoi+hDeUV2gKfqhbfdgRhQhCeBeVejfDeS' +
      'gCeqepebfWdHfKfZayZWexh3f5gwhjhWgifLcWakctfQaIcgcNasccf1bqfWdScVjLguhKgCgCfbcghthugdfnegf2ezetd9fOfnfleGhEg2fEeNdJgveBZq' +
      'gqfSd1g5f6dvfngge7f3edW9hlgLf7jFh9f8epgWgygUdhgai1iufXfpgyhugzdWevg4fmeofQfEfSiIgXfGdDfyfbfTkjgPgpi/kblIgCbYg6kMbiQMbrYX' +
      'cyqEkhgyZ8fIcVk/fgg5iUh9kBZBhcg/gmbRczhWe4hvgSgve4hifbdDfkejbvgCoAjER/UNYanjZuinnNufhwcUc9hMjArCjPeBfJgEdgf8hfhOhbflhTew' +
      'img3lSiYgtkafRh0eEitgffbjTgciafcetf6fohEdqkFeXgge7hKf0eUjtjjh3dYgbkEhSgrgqhGeAgahckyfFhbiNfWdwguhskZgJjUe2grcih/gFe2h5d0' +
      'jjiJc/gRekkPcqi3c/bpftd2e6g6gfetfxg+fXhngqhaTugsiTgShih/ckgiimcekwhuhwj9gznzc3gGb0eQf6d+kkb/kciJbUczcfjUfxhIdsYVchgjf8az' +
      'lNlPfKixiEdIjEeeollmeWdIgIaGgvhZijjujhmrhvetlSpYY0hEdsgYgyYVgCT1fybYfIgFo8pZj1nTWtb0qyV9QTevnohiXFW2arbZhPhfXDl6eCd1hZft' +
      'dSiCe2gqhzg9isgGflfIhZgoeQfNf3iIeIdXh0iHdlh2gieMfhfqcYdRdNfxfghYeDeBfegIeUfOchdOi1mtiYexhHdneDkDf7hciMjKjBdDhkgKh/gfgbf6' +
      'gmhEeeeWmOjSaifLehceeQd7dGfodBdHdDfyg7eOe7e7eBg6bZfTg6nBhZfJfKdOd0f4gJe7gOhxkKcIfcf5h7gKd5eKgufJdkb9mKiqaniadoYdbTZpfeiL' +
      'emiJgUhNd2hynTcRe3fMfshXiEgwgWgPa8dhfxgDh/eXiyiOeDa4iVhGmxgyZkewl5pfggfdm3jRerjThRI7eNnrcAWtQjijzIbzZRlTbGdjbugUhMompPcS' +
      'gJhIixiLfEiJh3hdfufpf3gmgEgGfuiPkejQgof/cqfijugackhhjHf/f1dWfRc0bhfPfYfKeub2c8eacWePfQdhtYqkgvgXidfuglfyd/goe4gRiUgNfnfs' +
      'gMg0jCgMebf7bDfSkZcLdPbpgjfli1dUhggIhShZgygQhHeUh7e6f5gtgPfv07kUiBh2eZZHcSgGgRledXhJhhdlgJf0gNfPhheyfMh4cOiigNejbyZYaClY' +
      'jHgRk7ggdMeUdkcflBi5bkdkhth/jlkJ8kdxj9ncdDdYYXhahkiDZAWqlycniuc/m7kwmdiHfrfJXgdxd1c9d0fqe9h0bEULc1jXc7Z2qPSrkdYXaLaLfuix' +
      'iPit6DWLgzf2hUgthQfcgFdve9eSeof/fJgyg7f3e7enhJfviCg3hEgfgMgJe8fre3imiqjUi6irkeiGhNhejQhadHbhdMfvgfiXffjHelgGf5g+fffdggia' +
      'fLgQfofCgcgmfSdyfpdqgmejfohWhtfJg+fagHhrmrnuqWnahRfYcbeKfhatbpaTf3dLcZekfegwhgcUgRfRb6gxhanFgwhZfwhRh/e1gNgJhJe5gTbIfCmn' +
      'nScZgZcjddePjwkhhRinbLcte4dwk+fQjjfOlcgAfsgGlag+jTcheijAdme7mgi/jpf6fSlKf5exgddPdGfOd9d9dugIkGaKhrpbi5b4dOhVbRf1YZfEgafB' +
      'r8mzhbkzqzkCrtkggGf3hBfnfpeteNfVgJgFfhdzgOfVcfdPcWfrc8e/duglexetfSgNhMgFhojFhlgbiJfpbue3gEfacsgQfeftfedPg0i9e8gNegdsf4dc' +
      'dugXgqgfeefFhZeMczfGfHd4cod0d9gubpeehbcIcTfHfIgahkhKfXgXhRibi1nHmylJimhSgEfXh0gqfcgEfFhdc8eVe1ikbtfqe1fyeQjTgUe9fWiEb+em' +
      'hEjbdeg5iEefiLiQh+f3dRbblQdeTnlMiBiEoNj+bcedc/dOg/eJcUfll1j3XZf+f/ixgPkKnjkcf9jXgtfWZ6bhcnhohHlYhbcxl8l+doq9tKmChCbhZGsV' +
      'oHd0ePieqNoogWhsZJZr7cX1PbZ6nzZMWddGiAULtexLo3fptjeEdRZ/i1alpUcoQ9rDXvnlUpMFEbtDap0QhPrOjNiCb3cfq9ZOT4cbpNyXq7QPd6ABYSbB',
  },
  {
    inputs: 48,
    outputs: 16,
    scale: 0.000524966,
    addedScale: 0.00054327,
    letters:
      'LlnCWUnNxGfSb0eCgOhZkstJgtkjjxYOYmq/kQaP1ThOW7OkfFZCS/bbOnpKhvlYigOtiSVokUPg1JVEpba7onkErBakVCaXbSDElKdBYqVOfUTFmNhifhnn' +
      'oViskkguykwuhqdTcibNqpYVudfohgmTREgHJzxwqZl/lPYhY0VflbWylfiOhle+T2gqWQqUg7iSmZmTnRf0XeqlpjVFgFVgXIiBTRh1UpUcYEdzfUlySXkM' +
      'gMi2J8fBoPMsdJZ+nnoxQ4hhgzX0UTeDxIcmgiXYYeTqmoIVeVHqv8b5W0X9o9gin4cwe9RElVWZx8YWtFarhha+euf7ytqoqvfCsBjBcBaDUCWbozoIZsa4' +
      'SQYgoAe3kMirhAcsf3Htqen2cQgxrgaSbKmGsJlqn4e1NpTmlVhgPITG0fY8ABKKR9Q5Q3ntY0CIlwVAgwa1iTVlFEqblVhBoZgwkylNNXopf+X+hNQojalr' +
      'iin4dhTliLgriUSHdyo9a1MxngsQW/W9fxnFcxiPYkWUU1dEZIbLj9qulIbhYJj2scYglaiKjUp1i8pfaom4qOXzo3Q8sIjTenV9gtcIbikFeXubj+ZahssR' +
      'NfXJY0VTgPUmVVa6k3nuQJUketUUZOmYY0gCcAXGWSuMqcPE07gdf9bzkckglVKMRumojxmGnPvHXNbKq6h5eBhEiOpbZUjNeRmEcVsJcycqiWs2Tkt6drlp' +
      'e9lyb/oqlxivXYWwhbkuhXdsqdjgdpd1XZJxffdPcymSlYgJeyb4gHyzckn5Z6UClpDTWbh7kSQ+jAtQUsVYelrqTtuOdEvgTtZ+WbkogJTHdaWjbpYTZUhR' +
      'fyhnNHmWYlXycxYeXLSimFbacpYOtjXWWLmDnnp5vIPRoMErSjkQoXWPj9ttVOXdamSVsckeWJhBfwhbiDn9Y7ZLU/ezMAcvqwdihLdiGHiXVEfz3fJFj8nv' +
      'ppc6P+sdgTrLbrndb8g/Krpdo5cnYXkpZDeNjAn4X0m4V4bDktaQoVmAqsgBkcMwNhk9ueqXhvaQdInVgkQslHfpcCmlifj4Une/fKintMAHj3Pitia4wEbp' +
      'dAuEegfJh3W/0ij+fWhCZJgPWvcJcgfXlXiOZrZ2Z9QjfFMNfHE20pD/k2WleNrqpodGS7fzQ7r5erXLaUpFvfj7s3VGe4VaPmsma0cHmUoShQfQfMfgbdmy' +
      'Vqjqf4nZgcxocMqFeARQgajzjtZDb5U9doaZbUSfcjbMZfMofaI8gXsURiektSe+jLTrgPi4TcsuhaiyjDolfZb4h0RSiv0WMDUFcYe9quleuOYKhXXYfqgt' +
      'cRjTapbyeqjTuMHn1TUHizg4QAkEcuhyaqOilbi8ZhyOQPqzfrl4cimagJhmhToAcCp7hXkengjQUxXac2nQqBZzclljfog/smhkkfnQrNfRIuhojIFhosZr' +
      'KGlohQZmm3l9d5XciagXdHhSoWptQkjZuhiYi5i3LWoZbzrAz7g7ZxLeSF2fbbgJh6QMgPWgh7IGjcZthqc4gJRdg5lMSgNPaokB2Kg1oovFW4zu//tk8IdO' +
      'Zxazq1Mh',
  },
  {
    inputs: 16,
    outputs: 1,
    scale: 0.000725529,
    addedScale: 0.000267201,
    letters: 'VMYuvlZUABkaQXj0v/K/mJTUWQUZnPTY//',
  },
];
