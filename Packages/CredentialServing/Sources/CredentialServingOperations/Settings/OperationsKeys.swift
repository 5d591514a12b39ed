#if Server
/// The keys of a server's own operations, which every server declares beside its own.
public enum OperationsKeys {
    /// More of the log: once for debug, twice for trace.
    public static let verbose = ConfigurationKey.count(
        "verbose",
        maximum: 2,
        help: "Logs more: once for debug, twice for trace.",
        letter: "v"
    )
    /// Next to nothing of the log.
    public static let quiet = ConfigurationKey.boolean(
        "quiet",
        default: false,
        help: "Logs critical events only.",
        letter: "q"
    )
    /// The form of the log.
    public static let logJSON = ConfigurationKey.boolean(
        "log_json",
        default: false,
        help: "Writes each event of the log as a JSON object."
    )
    /// A log with secrets.
    public static let logSecrets = ConfigurationKey.boolean(
        "log_secrets",
        default: false,
        help: """
            Logs attributes, tokens and keys. Refused in production mode; a server with a developer mode takes it in that \
            mode alone.
            """
    )
    /// The address of the listener for operations.
    public static let address = ConfigurationKey.text(
        "operations.listen_addr",
        default: "127.0.0.1",
        help: "Address of the listener for metrics and health."
    )
    /// The port of the listener for operations.
    public static let port = ConfigurationKey.integer(
        "operations.port",
        in: 0...65535,
        help: "Port of the listener for metrics and health; 0 for any. Without it there is none."
    )
    /// The delay between reporting "not ready" and closing the listeners.
    public static let drainTime = ConfigurationKey.duration(
        "operations.drain_time",
        default: .seconds(5),
        unit: .seconds,
        in: .zero ... .seconds(300),
        help: "Delay between reporting \"not ready\" and closing the listeners."
    )
    /// The number of requests for each client and period.
    public static let limitCount = ConfigurationKey.integer(
        "limits.requests",
        default: 0,
        in: 0...1_000_000,
        help: "Requests for each client in a period; 0 for no limit."
    )
    /// The period of the limit.
    public static let limitPeriod = ConfigurationKey.duration(
        "limits.period",
        default: .seconds(60),
        unit: .seconds,
        in: .seconds(1) ... .seconds(86_400),
        help: "Period that the limit counts requests in."
    )
    /// The number of requests at once.
    public static let limitBurst = ConfigurationKey.integer(
        "limits.burst",
        in: 1...1_000_000,
        help: "Requests of a client at once; as many as in a period by default."
    )
    /// The number of clients that are told apart.
    public static let limitClients = ConfigurationKey.integer(
        "limits.clients",
        default: 100_000,
        in: 1...10_000_000,
        help: "Clients that the limit tells apart, at about 160 bytes each."
    )

    /// All of them, in the order of the help.
    public static let declarations = [
        verbose.declaration, quiet.declaration, logJSON.declaration, logSecrets.declaration, address.declaration,
        port.declaration, drainTime.declaration, limitCount.declaration, limitPeriod.declaration,
        limitBurst.declaration, limitClients.declaration,
    ]
}
#endif
