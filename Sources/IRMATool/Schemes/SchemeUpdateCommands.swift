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
            return Outcome(report: .fields(results.map { ($0.scheme.text, SchemeNetwork.outline($0.result)) }))
        }
        let updater = SchemeUpdater(transport: transport, store: directory)
        var reports: [(name: String, value: Outline)] = []
        for url in urls {
            guard let name = url.split(separator: "/").last else { throw ToolError("\(url) is no URL of a scheme") }
            do {
                let scheme = SchemeIdentifier(String(name))
                let result = try await updater.installTrustingFirstUse(scheme, from: url)
                reports.append((scheme.text, SchemeNetwork.outline(result)))
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
            do {
                let result = try await SchemeUpdater(transport: transport, store: directory).update(scheme)
                reports.append((scheme.text, SchemeNetwork.outline(result)))
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
    ) async throws(ToolError) -> [(scheme: SchemeIdentifier, result: SchemeUpdater.Result)] {
        let updater = SchemeUpdater(transport: transport, store: directory)
        var results: [(scheme: SchemeIdentifier, result: SchemeUpdater.Result)] = []
        for (scheme, url) in urls.sorted(by: { $0.key < $1.key }) {
            guard let key = keys[scheme] else { continue }
            do {
                results.append((scheme, try await updater.install(scheme, from: url, pinned: key)))
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
        let updater = SchemeUpdater(transport: try transport(), store: directory)
        for scheme in try await directory.schemes() {
            do {
                _ = try await updater.update(scheme)
            } catch {
                throw ToolError("\(scheme.text) cannot be updated: \(error)")
            }
        }
    }

    static func outline(_ result: SchemeUpdater.Result) -> Outline {
        switch result {
        case .updated(let files): .text("updated to the version of \(files.time.utcText)")
        case .unchanged(let files): .text("unchanged since \(files.time.utcText)")
        }
    }
}
