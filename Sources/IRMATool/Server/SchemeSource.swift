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
    /// - Throws: ``ToolError``, also for one scheme that cannot be read.
    func load() async throws(ToolError) -> ServerMaterial {
        do {
            return try material(of: try await schemes.snapshot())
        } catch {
            throw Self.unusable(error)
        }
    }

    /// Reads everything for a server that starts.
    ///
    /// A scheme that cannot be read is fetched anew. Where that fails, the server starts without it and tries again at each
    /// update.
    ///
    /// - Parameters:
    ///   - transport: Fetches the schemes; nil to fetch none.
    ///   - logger: The log.
    /// - Throws: ``ToolError``.
    func start(over transport: (any HTTPTransport)?, logger: Logger) async throws -> ServerMaterial {
        let (material, unread) = try await loadReadable(logger: logger)
        guard let transport, !unread.isEmpty else { return material }
        return try await update(unread, over: transport, logger: logger) ?? material
    }

    /// Reads what can be read; of a scheme that cannot, the version that was read last stays.
    private func loadReadable(
        logger: Logger
    ) async throws(ToolError) -> (material: ServerMaterial, unread: Set<SchemeIdentifier>) {
        do {
            let reading = try await schemes.reading(keeping: loaded.snapshot)
            for (scheme, error) in reading.errors.sorted(by: { $0.key < $1.key }) {
                logger.warning("scheme not read", metadata: ["scheme": "\(scheme)", "reason": "\(error)"])
            }
            let unread = Set(reading.errors.keys)
            let known = reading.snapshot.schemes.keys
            return (try material(of: reading.snapshot, leavingOut: unread.subtracting(known)), unread)
        } catch {
            throw Self.unusable(error)
        }
    }

    private func material(
        of snapshot: SchemeSnapshot,
        leavingOut unread: Set<SchemeIdentifier> = []
    ) throws(IRMAError) -> ServerMaterial {
        var keys = IssuerKeyRing()
        if let privateKeys {
            let folder = URL(fileURLWithPath: privateKeys, isDirectory: true)
            try keys.add(folder: folder, schemes: snapshot, leavingOut: unread)
        }
        // Of two keys with one counter, the existing server takes the one in the scheme's folder.
        for folder in folders { try keys.add(schemesFolder: folder, schemes: snapshot) }
        loaded.set(snapshot)
        return ServerMaterial(schemes: snapshot, issuerKeys: keys, unreadSchemes: unread)
    }

    private static func unusable(_ error: any Error) -> ToolError {
        ToolError("schemes_path: the schemes or private keys cannot be used: \(error)")
    }

    /// Updates schemes; a failure of one is logged, and leaves the version that is there.
    ///
    /// A scheme that is damaged is fetched anew.
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
        return hasChanged ? try await loadReadable(logger: logger).material : nil
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
    private let read = Mutex<SchemeSnapshot?>(nil)

    /// The schemes, or nil if none were read.
    var snapshot: SchemeSnapshot? { read.withLock { $0 } }

    func set(_ snapshot: SchemeSnapshot) { read.withLock { $0 = snapshot } }

    /// Returns `true` if schemes were read, and not this version.
    func lacks(_ files: VerifiedSchemeFiles) -> Bool {
        guard let snapshot else { return false }
        let scheme = files.scheme
        return (snapshot.schemes[scheme]?.time ?? snapshot.requestorSchemes[scheme]?.time) != files.time
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
