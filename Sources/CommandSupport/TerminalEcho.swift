#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension Console {
    /// Asks for a line that a terminal does not show while it is typed; nil at the end of the input.
    package func readSecret(_ question: String) async -> String? {
        error(question)
        let echo = TerminalEcho.off()
        defer { echo?.restore() }
        return await readLine()
    }
}

/// The settings of the terminal at standard input, before its echo was switched off.
private struct TerminalEcho: Sendable {
    private let settings: termios

    /// Switches the echo off; nil if standard input is not a terminal.
    static func off() -> TerminalEcho? {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        let echo = TerminalEcho(settings: settings)
        settings.c_lflag &= ~tcflag_t(ECHO)
        return tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings) == 0 ? echo : nil
    }

    /// Puts the settings back.
    func restore() {
        var settings = settings
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
}
