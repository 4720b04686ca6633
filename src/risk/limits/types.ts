import { z } from 'zod';

export const milliseconds = z.number().int().positive();
export const fraction = z.number().positive();
export const money = z.number().positive();
export const count = z.number().int().positive();
