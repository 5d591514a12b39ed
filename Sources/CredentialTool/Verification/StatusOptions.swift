import ArgumentParser
import COSEKit
import CommandSupport
import CredentialTransport
import JOSEKit
import MdocKit
import SDJWTKit
import StatusListKit

/// The sources of a credential's status, and the option to ignore it.
struct StatusOptions: ParsableArguments {
    @Option(
        name: .customLong("status"),
        help: ArgumentHelp(
            """
            Where statuses are found: a file with a status list token, an identifier list token or a snapshot of such, or \
            the URL of a list, which is fetched when a credential names it; may be repeated. Of several tokens of a list the \
            one issued last counts.
            """,
            valueName: "file|url"
        )
    )
    var sources: [StatusSource] = []

    @Flag(
        name: .long,
        help: "Fetch the lists that credentials name, over the network; a build with the trait Client can."
    )
    var onlineStatus = false

    @Flag(
        name: .customLong("dev"),
        help: "Developer mode: fetches lists from this machine and private networks, and by plain http as well."
    )
    var isDevelopment = false

    @OptionGroup var authorities: AuthorityOptions

    @Flag(name: .long, help: "Accept credentials regardless of their status, and say so in the output.")
    var ignoreStatus = false

    func validate() throws {
        guard !ignoreStatus || sources.isEmpty && !onlineStatus else {
            throw ValidationError("Say --status or --online-status, or --ignore-status, not both.")
        }
    }

    /// The demand on the status of credentials.
    var policy: StatusPolicy { ignoreStatus ? .waived : .whenNamed }

    /// Fetches the lists of the named URLs, or every one, and answers with those of the named files where nothing is fetched.
    ///
    /// - Parameter option: The option that names the file of a list, for the refusal of another list.
    func transport(naming option: String = "--status") throws -> any HTTPTransport {
        try transport(beside: try ListsAtHand(sources), naming: option)
    }

    private func transport(beside lists: ListsAtHand, naming option: String = "--status") throws -> any HTTPTransport {
        var remote: Set<String> = []
        for case .url(let url) in sources { remote.insert(url.description) }
        return ListTransport(
            local: lists.answers,
            remote: onlineStatus ? .all : .named(remote),
            network: remote.isEmpty && !onlineStatus ? nil : try network(),
            option: option
        )
    }

    private func network() throws(ToolError) -> any HTTPTransport {
        try Network.transport(isDevelopment: isDevelopment, trusting: authorities.files)
    }

    /// The check of the status of mdocs.
    func mdocChecker() throws -> MdocStatusChecker {
        var policy = StatusListPolicy.mdoc
        policy.tolerances = .deployed
        let lists = try ListsAtHand(sources)
        let checker = MdocStatusChecker(transport: try transport(beside: lists), policy: policy)
        for snapshot in lists.snapshots { checker.load(snapshot) }
        return checker
    }

    /// The check of the status of SD-JWTs.
    ///
    /// - Parameters:
    ///   - algorithms: The algorithms of lists in JSON.
    ///   - signer: The signer of lists.
    func sdJWTChecker(algorithms: Set<JWSAlgorithm>, signedBy signer: StatusSignerOptions) throws -> SDJWTStatusChecker
    {
        let policy = StatusListPolicy(
            jwtAlgorithms: algorithms,
            cwtAlgorithms: [.es256, .es384, .es512],
            tolerances: .deployed
        )
        let lists = try ListsAtHand(sources)
        let client = StatusListClient(transport: try transport(beside: lists), policy: policy)
        for snapshot in lists.snapshots { client.load(snapshot.statusLists) }
        return .lists(from: client, signedBy: try signer.signer())
    }
}

/// A source of statuses on the command line.
enum StatusSource: ExpressibleByArgument, Sendable {
    /// A file with one list or several.
    case file(InputFile)
    /// The URL of a list.
    case url(HTTPURL)

    init(argument: String) {
        let url = argument.contains("://") ? try? HTTPURL(argument) : nil
        self = url.map { .url($0) } ?? .file(InputFile(argument: argument))
    }
}

extension TransportError {
    /// The refusal to fetch a list that is not at hand.
    ///
    /// - Parameter remedy: The options that make it known.
    init(notAtHand url: String, _ remedy: String) {
        self.init(.connectionFailed, "the list is not at hand: \(remedy)", path: [url])
    }
}

/// The lists of the named files.
private struct ListsAtHand {
    /// An answer with a list by each URL, where nothing is fetched: a refusal of the list says why.
    private(set) var answers: [String: InMemoryHTTPAnswer] = [:]
    /// A snapshot with each list: of those with one URI, and of a fetched one, the one issued last counts.
    private(set) var snapshots: [MdocStatusSnapshot] = []

    init(_ sources: [StatusSource]) throws(ToolError) {
        for case .file(let file) in sources {
            for list in try file.statusLists() {
                answers[list.uri] = .ok(list.token, type: list.type)
                snapshots.append(try file.snapshot(of: list))
            }
        }
    }
}

/// Lists at hand, and a network for the URLs that the command line names.
private struct ListTransport: HTTPTransport {
    /// The lists to fetch.
    enum Remote: Sendable {
        case all
        case named(Set<String>)
    }

    /// The lists at hand, by their URLs.
    let local: [String: InMemoryHTTPAnswer]
    let remote: Remote
    let network: (any HTTPTransport)?
    /// The option that names the file of a list.
    let option: String

    func response(to request: HTTPTransportRequest) async throws(TransportError) -> HTTPTransportResponse {
        let url = request.url.description
        if let network, isFetched(url) { return try await network.response(to: request) }
        guard let list = local[url] else {
            throw TransportError(notAtHand: url, "name it with \(option), or have it fetched with --online-status")
        }
        return try await InMemoryHTTPTransport([url: list]).response(to: request)
    }

    private func isFetched(_ url: String) -> Bool {
        switch remote {
        case .all: true
        case .named(let urls): urls.contains(url)
        }
    }
}
