import ArgumentParser
import CommandSupport
import CredentialTransport
import Foundation
import IRMAMessages

/// `irma scheme download`: installs schemes from their servers.
struct SchemeDownloadCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Downloads schemes.",
        discussion: """
            Without a URL, the well-known schemes are installed or updated, with the keys that the command knows. A scheme of a \
            URL that the folder does not have is trusted with the key that its server gives; one that it has is updated with the \
            key that is kept.
            """
    )

    @Argument(help: "The folder of schemes, if it is there, and the URLs of the schemes.")
    var arguments: [String] = []

    @Flag(
        name: .long,
        help: """
            Without a folder, use the one that servers copy schemes from: irma_configuration_assets in the user's data folder.
            """
    )
    var useSchemesAssetsPath = false

    @OptionGroup var outputOptions: OutputOptions

    /// The folder, where the first argument is one.
    private var folder: String? {
        arguments.first.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
    }

    private var urls: [String] { folder == nil ? arguments : Array(arguments.dropFirst()) }

    func outcome() async throws -> Outcome {
        let use = useSchemesAssetsPath ? SchemeFolder.Use.assets : .work
        let directory = try SchemeFolder.opened(folder ?? SchemeFolder.made(use))
        let transport = try SchemeNetwork.transport()
        guard !urls.isEmpty else {
            let results = try await WellKnownSchemes.install(in: directory, over: transport)
            return Outcome(report: .fields(results.map { ($0.scheme.text, $0.result) }))
        }
        let updater = SchemeUpdater(transport: transport, store: directory)
        var reports: [(name: String, value: Outline)] = []
        for url in urls {
            do throws(IRMAError) {
                let place = SchemeNetwork.place(url)
                let scheme = try await updater.scheme(at: place)
                let result = try await SchemeNetwork.outline { () throws(IRMAError) in
                    try await updater.installTrustingFirstUse(scheme, from: place)
                }
                reports.append((scheme.text, result))
            } catch {
                throw ToolError("\(url): \(error)")
            }
        }
        return Outcome(report: .fields(reports))
    }
}

/// `irma scheme update`: updates schemes from the URLs in their descriptions.
struct SchemeUpdateCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Updates schemes.",
        discussion: "Without a path, all schemes of the usual folder are updated. A failure leaves the old version."
    )

    @Argument(help: "The folders of the schemes.")
    var paths: [String] = []

    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        var folders = paths.map(SchemeFolder.absolute)
        if folders.isEmpty {
            let directory = try SchemeFolder.opened(SchemeFolder.standard())
            folders = try await directory.schemes().map { directory.url.appendingPathComponent($0.text) }
        }
        for folder in folders where !SchemeFolder.isScheme(folder.path) {
            throw ToolError("\(folder.path.escapedForDisplay(backslash: true)) is no scheme")
        }
        let transport = try SchemeNetwork.transport()
        var reports: [(name: String, value: Outline)] = []
        for folder in folders {
            let scheme = SchemeIdentifier(folder.lastPathComponent)
            let directory = try SchemeFolder.opened(folder.deletingLastPathComponent().path)
            do throws(IRMAError) {
                if let files = try await directory.remains(of: scheme)?.files,
                    let described = try? SchemeFiles(described: files).scheme, described != scheme
                {
                    throw IRMAError(.invalidScheme, "the folder of a scheme has its name to be updated: \(described)")
                }
                let updater = SchemeUpdater(transport: transport, store: directory)
                let result = try await SchemeNetwork.outline { () throws(IRMAError) in try await updater.update(scheme)
                }
                reports.append((scheme.text, result))
            } catch {
                throw ToolError("\(scheme.text): \(error)")
            }
        }
        return Outcome(report: .fields(reports))
    }
}

extension WellKnownSchemes {
    /// Installs the schemes in a folder that has none.
    ///
    /// - Throws: ``ToolError``.
    static func install(inEmpty directory: SchemeDirectory, over transport: any HTTPTransport) async throws(ToolError) {
        do {
            guard try await directory.schemes().isEmpty else { return }
            _ = try await install(in: directory, over: transport)
        } catch {
            throw ToolError("the folder has no schemes, and the well-known ones cannot be fetched: \(error)")
        }
    }

    /// Installs the schemes, or updates those that are there.
    ///
    /// - Throws: ``ToolError`` with the scheme; those before it are installed then.
    static func install(
        in directory: SchemeDirectory,
        over transport: any HTTPTransport
    ) async throws(ToolError) -> [(scheme: SchemeIdentifier, result: Outline)] {
        let updater = SchemeUpdater(transport: transport, store: directory)
        var results: [(scheme: SchemeIdentifier, result: Outline)] = []
        for (scheme, url) in urls.sorted(by: { $0.key < $1.key }) {
            guard let key = keys[scheme] else { continue }
            do throws(IRMAError) {
                let result = try await SchemeNetwork.outline { () throws(IRMAError) in
                    try await updater.install(scheme, from: url, pinned: key)
                }
                results.append((scheme, result))
            } catch {
                throw ToolError("\(scheme.text): \(error)")
            }
        }
        return results
    }
}

/// The network that schemes come from, and the report of an update.
enum SchemeNetwork {
    static func transport() throws(ToolError) -> any HTTPStreamingTransport {
        #if Client
        try GuardedHTTPTransport.ofCommand()
        #else
        throw ToolError("this build fetches nothing: build it with the trait Client")
        #endif
    }

    /// The network, or nil for a build without a client.
    static func transportIfBuilt() throws(ToolError) -> (any HTTPStreamingTransport)? {
        #if Client
        try transport()
        #else
        nil
        #endif
    }

    /// Updates all schemes of a folder, the usual one without a path.
    static func updateAll(in path: String?) async throws {
        let directory = try SchemeFolder.opened(path ?? SchemeFolder.made())
        try await updateAll(in: directory, over: try transport())
    }

    /// Updates all schemes of a folder.
    ///
    /// - Throws: ``ToolError`` for the first that cannot be updated.
    static func updateAll(in directory: SchemeDirectory, over transport: any HTTPTransport) async throws {
        let updater = SchemeUpdater(transport: transport, store: directory)
        for scheme in try await directory.schemes() {
            do throws(IRMAError) {
                _ = try await updater.update(scheme)
            } catch {
                guard error.code == .rollback else { throw ToolError("\(scheme.text) cannot be updated: \(error)") }
                Console.current.error("The scheme \(scheme.text) is unchanged: its server offers an older version.")
            }
        }
    }

    /// Reports an update; an older version at the server is none, and leaves the one that is kept.
    static func outline(
        of update: () async throws(IRMAError) -> SchemeUpdater.Result
    ) async throws(IRMAError) -> Outline {
        do throws(IRMAError) {
            return switch try await update() {
            case .updated(let files): .text("updated to the version of \(files.time.utcText)")
            case .unchanged(let files): .text("unchanged since \(files.time.utcText)")
            }
        } catch {
            guard error.code == .rollback else { throw error }
            return "unchanged: the server offers an older version"
        }
    }

    /// The place of a scheme's files, from a URL that may name the description there.
    static func place(_ url: String) -> String {
        let url = url.hasSuffix("/") ? String(url.dropLast()) : url
        let description = ["/description.xml", "/description.json"].first { url.hasSuffix($0) }
        return description.map { String(url.dropLast($0.count)) } ?? url
    }
}
