#if Server
/// The words of a server's command: run or check, and the flags.
struct ServerInvocation {
    /// Indicates that the configuration is only checked.
    let isCheck: Bool
    /// Indicates a check that asks nothing outside of this process.
    let isOffline: Bool
    /// The flags of the configuration.
    let flags: [String]

    /// The flag of an offline check; it stands in no file.
    private static let offlineFlag = "--offline"

    init(_ arguments: [String]) {
        isCheck = arguments.first == "check"
        let flags = isCheck || arguments.first == "run" ? Array(arguments.dropFirst()) : arguments
        isOffline = isCheck && flags.contains(Self.offlineFlag)
        self.flags = isOffline ? flags.filter { $0 != Self.offlineFlag } : flags
    }

    /// The command's name in its help.
    func program(_ name: String) -> String { isCheck ? name + " check" : name }
}
#endif
