#if Server
import UnixSignals

/// The signals at which a server loads its certificates again (SIGHUP), caught from the start of its command.
///
/// Those that come before the server listens are kept until then: a server that fetches schemes or waits for a database is not ended
/// by one.
package struct Hangups: Sendable {
    /// The signals, those from before the first look, too; they are gone through once.
    let signals: UnixSignalsSequence

    /// Catches the signals from now on, unless the command only checks a configuration: the end of its terminal ends that.
    package init(of invocation: ServerInvocation) async {
        signals = await UnixSignalsSequence(trapping: invocation.isCheck ? [] : [.sighup])
    }
}
#endif
