// The line of stages: six buttons in the order of the computation, and the ways to walk: back, on, play.

import { html, type TemplateResult } from 'lit';
import '../../marks/play-button.ts';
import { lowered } from '../../marks/lowered.ts';
import { moveFocus } from '../../marks/token.ts';
import { shapeText, stageNames, stageWords, type Sizes, type Stage } from './stages.ts';

export function stageLine(options: { id: string; stage: Stage; sizes: Sizes; set(stage: Stage): void }): TemplateResult {
  const { id, stage, sizes, set } = options;
  const at = stageNames.indexOf(stage);
  const go = (step: number) => set(stageNames[Math.min(Math.max(step, 0), stageNames.length - 1)]!);
  return html`<div class="stages" role="toolbar" aria-label="Stages of the head" @keydown=${moveFocus}>
      ${stageNames.map((name, place) => stageButton(id, name, place, name === stage, sizes, () => set(name)))}
    </div>
    <div class="stage-walk needs-script">
      <button type="button" class="step-button" data-page-only ?disabled=${at === 0} @click=${() => go(at - 1)}>‹ Back</button>
      <button type="button" class="step-button" data-page-only ?disabled=${at === stageNames.length - 1} @click=${() => go(at + 1)}>Next ›</button>
      <play-button data-page-only .at=${at} .count=${stageNames.length} .go=${go}></play-button>
      <p class="stage-says">${lowered(stageWords[stage].says(sizes))}</p>
    </div>`;
}

function stageButton(id: string, stage: Stage, place: number, on: boolean, sizes: Sizes, pick: () => void): TemplateResult {
  const { name, short, shape } = stageWords[stage];
  return html`<button type="button" class="stage" id="${id}-stage-${stage}" tabindex=${on ? 0 : -1} aria-pressed=${on ? 'true' : 'false'} @click=${pick}>
    <span class="stage-name"><span class="stage-number">${place + 1}</span> ${name}</span>
    <span class="stage-short">${lowered(short(sizes))}</span>
    <span class="stage-shape">${shapeText(shape(sizes))}</span>
  </button>`;
}
