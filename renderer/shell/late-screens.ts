/** Screens that are not needed at first come when they are gone to. */
export const loadSettings = () => import('../settings/settings-screen.tsx');
