#if Server
import CommandSupport
import CredentialTransport
import Foundation
import IRMAMessages
import IRMAServer
import Logging
import Synchronization

/// The schemes and issuers' keys of a server: read at its start, and again after an update.
struct SchemeSource: Sendable {
    let directory: SchemeDirectory
    /// The folder of private keys beside those in the schemes' folders, or nil.
    let privateKeys: String?
    private let loaded = LoadedVersions()

    init(directory: SchemeDirectory, privateKeys: String?) {
        self.directory = directory
        self.privateKeys = privateKeys
    }

    /// Reads and verifies everything.
    ///
    /// - Throws: ``ToolError``.
    func load() async throws(ToolError) -> ServerMaterial {
        do {
            let snapshot = try await directory.snapshot()
            var keys = IssuerKeyRing()
            if let privateKeys {
                try keys.add(folder: URL(fileURLWithPath: privateKeys, isDirectory: true), schemes: snapshot)
            }
            // Of two keys with one counter, the existing server takes the one in the scheme's folder.
            try keys.add(schemesFolder: directory.url, schemes: snapshot)
            loaded.set(snapshot)
            return ServerMaterial(schemes: snapshot, issuerKeys: keys)
        } catch {
            throw ToolError("schemes_path: the schemes or private keys cannot be used: \(error)")
        }
    }

    /// Updates schemes; a failure of one is logged, and leaves the version that is there.
    ///
    /// A version in the folder that was not read before is read too: one whose reading failed, or that another program put there.
    ///
    /// - Parameters:
    ///   - schemes: The schemes; nil for all of the folder.
    ///   - transport: Fetches newer versions.
    ///   - logger: The log.
    /// - Returns: The material with the new versions, or nil if nothing has changed.
    func update(
        _ schemes: Set<SchemeIdentifier>? = nil,
        over transport: any HTTPTransport,
        logger: Logger
    ) async throws -> ServerMaterial? {
        let updater = SchemeUpdater(transport: transport, store: directory)
        var hasChanged = false
        for scheme in try await directory.schemes() where schemes?.contains(scheme) ?? true {
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
