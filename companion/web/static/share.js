// The picture of an ending as PNG: shared where the device can share files, else saved.
const SIZE = [1200, 630];

async function png(address) {
  const picture = new Image(...SIZE);
  picture.src = address;
  await picture.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = SIZE;
  canvas.getContext("2d").drawImage(picture, 0, 0, ...SIZE);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-share]");
  if (!link) return;
  event.preventDefault();
  try {
    const file = new File([await png(link.href)], "courtside.png", { type: "image/png" });
    if (matchMedia("(pointer: coarse)").matches && navigator.canShare?.({ files: [file] })) {
      await navigator.share({ files: [file], title: link.dataset.share });
      return;
    }
    const save = document.createElement("a");
    save.href = URL.createObjectURL(file);
    save.download = file.name;
    save.click();
    setTimeout(() => URL.revokeObjectURL(save.href), 10_000);
  } catch (error) {
    if (error.name !== "AbortError") location.href = link.href; // open the image itself
  }
});
