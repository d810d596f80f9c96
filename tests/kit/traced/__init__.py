"""Path-traced dice (Blender, package bpy): drilled, clear, glittering, marbled or metal."""
