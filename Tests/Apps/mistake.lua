app.title = "Photos"

menubar {
  menu "Image" {
    item "Rate" { "rate(stars 5)", key = "5" },
  },
}
