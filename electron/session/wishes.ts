import type { Wish } from './happening.ts';
import type { Course } from './state.ts';

/** What a wish leaves behind whatever the phase, so that one uttered before the session is live counts. */
export function keepWish(course: Course, wish: Wish): Course {
  switch (wish.kind) {
    case 'see':
      return { ...course, frame: wish.frame };
    case 'slices':
      return { ...course, maxSlices: wish.slices };
    case 'ask':
      return { ...course, questions: [...course.questions, wish.question] };
    case 'pause':
      return { ...course, paused: true };
    case 'resume':
      return { ...course, paused: false };
    case 'chunk':
    case 'interrupt':
      return course;
  }
}
