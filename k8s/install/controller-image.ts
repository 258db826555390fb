/** The image of the controller and of the command line, of this version. */
export const CONTROLLER_IMAGE = 'gari:v0.1.0';
