#if Server
/// The words of a server's command: run or check, and the flags.
package struct ServerInvocation {
    /// Indicates that the configuration is only checked.
    package let isCheck: Bool
    /// Indicates a check that asks nothing outside of this process.
    package let isOffline: Bool
    /// The flags of the configuration.
    package let flags: [String]

    /// The flag of an offline check; it stands in no file.
    private static let offlineFlag = "--offline"

    package init(_ arguments: [String]) {
        isCheck = arguments.first == "check"
        let flags = isCheck || arguments.first == "run" ? Array(arguments.dropFirst()) : arguments
        isOffline = isCheck && flags.contains(Self.offlineFlag)
        self.flags = isOffline ? flags.filter { $0 != Self.offlineFlag } : flags
    }

    /// The command's name in its help.
    package func program(_ name: String) -> String { isCheck ? name + " check" : name }
}
#endif
