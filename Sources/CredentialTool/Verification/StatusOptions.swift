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
            the URL of a list, which is fetched when a credential names it; may be repeated.
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

    /// Answers with the lists of the named files, and fetches those of the named URLs, or every other one.
    ///
    /// - Parameter option: The option that names the file of a list, for the refusal of another list.
    func transport(naming option: String = "--status") throws -> any HTTPTransport {
        var answers: [String: InMemoryHTTPAnswer] = [:]
        var remote: Set<String> = []
        for source in sources {
            switch source {
            case .url(let url): remote.insert(url.description)
            case .file(let file):
                for list in try file.statusLists() { answers[list.uri] = .ok(list.token, type: list.type) }
            }
        }
        return ListTransport(
            local: InMemoryHTTPTransport(answers),
            localURLs: Set(answers.keys),
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
        return MdocStatusChecker(transport: try transport(), policy: policy)
    }

    /// The check of the status of SD-JWTs.
    ///
    /// - Parameters:
    ///   - algorithms: The algorithms of lists in JSON.
    ///   - key: The public key of the signer of lists; nil for the issuer's keys.
    func sdJWTChecker(algorithms: Set<JWSAlgorithm>, signedBy key: InputFile?) throws -> SDJWTStatusChecker {
        let policy = StatusListPolicy(
            jwtAlgorithms: algorithms,
            cwtAlgorithms: [.es256, .es384, .es512],
            tolerances: .deployed
        )
        let signer: StatusListSigner = if let key { .known(.publicKey(try key.publicKey())) } else { .issuerKeys }
        return .lists(from: StatusListClient(transport: try transport(), policy: policy), signedBy: signer)
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

/// Lists at hand, and a network for the URLs that the command line names.
private struct ListTransport: HTTPTransport {
    /// The lists to fetch.
    enum Remote: Sendable {
        case all
        case named(Set<String>)
    }

    let local: InMemoryHTTPTransport
    /// The URLs of the lists at hand.
    let localURLs: Set<String>
    let remote: Remote
    let network: (any HTTPTransport)?
    /// The option that names the file of a list.
    let option: String

    func response(to request: HTTPTransportRequest) async throws(TransportError) -> HTTPTransportResponse {
        let url = request.url.description
        if let network, isFetched(url) { return try await network.response(to: request) }
        guard localURLs.contains(url) else {
            throw TransportError(notAtHand: url, "name it with \(option), or have it fetched with --online-status")
        }
        return try await local.response(to: request)
    }

    private func isFetched(_ url: String) -> Bool {
        switch remote {
        case .all: !localURLs.contains(url)
        case .named(let urls): urls.contains(url)
        }
    }
}
