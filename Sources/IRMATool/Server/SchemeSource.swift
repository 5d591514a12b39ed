#if Server
import CommandSupport
import CredentialTransport
import Foundation
import IRMAMessages
import IRMAServer
import Logging

/// The schemes and issuers' keys of a server: read at its start, and again after an update.
struct SchemeSource: Sendable {
    let directory: SchemeDirectory
    /// The folder of private keys beside those in the schemes' folders, or nil.
    let privateKeys: String?

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
            return ServerMaterial(schemes: snapshot, issuerKeys: keys)
        } catch {
            throw ToolError("schemes_path: the schemes or private keys cannot be used: \(error)")
        }
    }

    /// Installs the well-known schemes where the folder has none.
    ///
    /// - Throws: ``ToolError``.
    func installIfEmpty(over transport: any HTTPTransport) async throws(ToolError) {
        do {
            guard try await directory.schemes().isEmpty else { return }
            let updater = SchemeUpdater(transport: transport, store: directory)
            for (scheme, url) in WellKnownSchemes.urls.sorted(by: { $0.key < $1.key }) {
                guard let key = WellKnownSchemes.keys[scheme] else { continue }
                _ = try await updater.install(scheme, from: url, pinned: key)
            }
        } catch {
            throw ToolError("schemes_path: the folder has no schemes, and they cannot be fetched: \(error)")
        }
    }

    /// Updates schemes; a failure of one is logged, and leaves the version that is there.
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
                guard case .updated = try await updater.update(scheme) else { continue }
                hasChanged = true
                logger.info("scheme updated", metadata: ["scheme": "\(scheme)"])
            } catch {
                logger.warning("scheme not updated", metadata: ["scheme": "\(scheme)", "reason": "\(error)"])
            }
        }
        return hasChanged ? try await load() : nil
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
