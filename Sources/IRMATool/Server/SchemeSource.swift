#if Server
import CommandSupport
import CredentialServingOperations
import CredentialTransport
import Foundation
import IRMAMessages
import IRMAServer
import Logging
import Synchronization

/// The schemes and issuers' keys of a server: read at its start, and again after an update.
struct SchemeSource: Sendable {
    let schemes: any SchemeStore
    /// The folders of schemes that have private keys in them.
    private let folders: [URL]
    /// The folder of private keys beside those in the schemes' folders, or nil.
    private let privateKeys: String?
    private let loaded = LoadedVersions()

    /// The source of a server that runs.
    ///
    /// - Parameters:
    ///   - directory: The schemes.
    ///   - assets: The folder of schemes that the others are copied from, or nil. Private keys in it are read where they are:
    ///     the reference copies them, which would leave the same secret in two places.
    ///   - privateKeys: The folder of private keys, or nil.
    init(directory: SchemeDirectory, assets: SchemeDirectory? = nil, privateKeys: String?) {
        self.init(schemes: directory, folders: [assets?.url, directory.url].compactMap(\.self), privateKeys)
    }

    private init(schemes: any SchemeStore, folders: [URL], _ privateKeys: String?) {
        self.schemes = schemes
        self.folders = folders
        self.privateKeys = privateKeys
    }

    /// The source of a check, which changes no file: the schemes are those that a server would have after its start.
    ///
    /// - Parameters:
    ///   - directory: The schemes, or nil for a folder that the start would make.
    ///   - assets: The folder of schemes that the others are copied from, or nil.
    ///   - privateKeys: The folder of private keys, or nil.
    /// - Throws: ``ToolError``.
    static func checked(
        directory: SchemeDirectory?,
        assets: SchemeDirectory?,
        privateKeys: String?
    ) async throws(ToolError) -> SchemeSource {
        var files: [SchemeFiles] = []
        do {
            for scheme in try await directory?.schemes() ?? [] {
                if let kept = try await directory?.files(of: scheme) { files.append(kept) }
            }
        } catch {
            throw unusable(error)
        }
        let store = InMemorySchemeStore(files)
        if let assets { try await SchemeCopy.copySchemes(from: assets, to: store) }
        let folders = [assets, directory].compactMap { $0?.url }
        return SchemeSource(schemes: store, folders: folders, privateKeys)
    }

    /// Reads and verifies everything.
    ///
    /// - Throws: ``ToolError``.
    func load() async throws(ToolError) -> ServerMaterial {
        do {
            let snapshot = try await schemes.snapshot()
            var keys = IssuerKeyRing()
            if let privateKeys {
                try keys.add(folder: URL(fileURLWithPath: privateKeys, isDirectory: true), schemes: snapshot)
            }
            // Of two keys with one counter, the existing server takes the one in the scheme's folder.
            for folder in folders { try keys.add(schemesFolder: folder, schemes: snapshot) }
            loaded.set(snapshot)
            return ServerMaterial(schemes: snapshot, issuerKeys: keys)
        } catch {
            throw Self.unusable(error)
        }
    }

    private static func unusable(_ error: any Error) -> ToolError {
        ToolError("schemes_path: the schemes or private keys cannot be used: \(error)")
    }

    /// Updates schemes; a failure of one is logged, and leaves the version that is there.
    ///
    /// A version in the folder that was not read before is read too: one whose reading failed, or that another program put there.
    ///
    /// - Parameters:
    ///   - names: The schemes; nil for all of the folder.
    ///   - transport: Fetches newer versions.
    ///   - logger: The log.
    /// - Returns: The material with the new versions, or nil if nothing has changed.
    func update(
        _ names: Set<SchemeIdentifier>? = nil,
        over transport: any HTTPTransport,
        logger: Logger
    ) async throws -> ServerMaterial? {
        let updater = SchemeUpdater(transport: transport, store: schemes)
        var hasChanged = false
        for scheme in try await schemes.schemes() where names?.contains(scheme) ?? true {
            do {
                let result = try await updater.update(scheme)
                if loaded.lacks(result.files) { hasChanged = true }
                guard case .updated = result else { continue }
                hasChanged = true
                logger.info("scheme updated", metadata: ["scheme": "\(scheme)"])
            } catch {
                logger.warning("scheme not updated", metadata: ["scheme": "\(scheme)", "reason": "\(error)"])
            }
        }
        return hasChanged ? try await load() : nil
    }
}

extension SchemeSource {
    /// The source that a configuration names, with the schemes of its assets.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - transport: Fetches the well-known schemes into a folder that has none; nil to leave it empty.
    /// - Throws: ``ToolError``, and the errors of the configuration.
    static func prepared(
        by configuration: ServerConfiguration,
        fetchingOver transport: (any HTTPTransport)? = nil
    ) async throws -> SchemeSource {
        let path = try configuration.valueIfPresent(of: ServerKeys.schemesPath)
        let directory = try SchemeFolder.opened(path ?? SchemeFolder.made())
        let assets = try SchemeCopy.assets(try configuration.valueIfPresent(of: ServerKeys.schemesAssetsPath))
        if let assets { try await SchemeCopy.copySchemes(from: assets, to: directory) }
        if let transport { try await WellKnownSchemes.install(inEmpty: directory, over: transport) }
        return SchemeSource(directory: directory, assets: assets, privateKeys: try privateKeys(configuration))
    }

    /// The source that a configuration names, for a check that changes no file and fetches nothing.
    ///
    /// - Throws: ``ToolError``, and the errors of the configuration.
    static func checked(by configuration: ServerConfiguration) async throws -> SchemeSource {
        // The start makes the usual folder where it is missing.
        let path = try configuration.valueIfPresent(of: ServerKeys.schemesPath) ?? (try? SchemeFolder.standard())
        return try await checked(
            directory: try path.map { path throws(ToolError) in try SchemeFolder.opened(path) },
            assets: SchemeCopy.assets(try configuration.valueIfPresent(of: ServerKeys.schemesAssetsPath)),
            privateKeys: privateKeys(configuration)
        )
    }

    private static func privateKeys(_ configuration: ServerConfiguration) throws -> String? {
        try configuration.valueIfPresent(of: ServerKeys.privateKeys).flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// The versions of schemes that were read last.
private final class LoadedVersions: Sendable {
    private let times = Mutex<[SchemeIdentifier: Date]?>(nil)

    func set(_ snapshot: SchemeSnapshot) {
        let all =
            snapshot.schemes.map { ($0.key, $0.value.time) } + snapshot.requestorSchemes.map { ($0.key, $0.value.time) }
        times.withLock { $0 = Dictionary(all, uniquingKeysWith: { $1 }) }
    }

    /// Returns `true` if schemes were read, and not this version.
    func lacks(_ files: VerifiedSchemeFiles) -> Bool {
        times.withLock { times in times.map { $0[files.scheme] != files.time } ?? false }
    }
}

/// The updates of a server's schemes over the network.
struct SchemeUpdates: ServerMaterialSource {
    let source: SchemeSource
    let transport: any HTTPTransport
    let logger: Logger

    func update(_ schemes: Set<SchemeIdentifier>?) async -> ServerMaterial? {
        do {
            return try await source.update(schemes, over: transport, logger: logger)
        } catch {
            logger.warning("schemes not read after an update", metadata: ["reason": "\(error)"])
            return nil
        }
    }
}
#endif
