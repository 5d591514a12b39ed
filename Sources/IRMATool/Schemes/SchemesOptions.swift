import ArgumentParser
import CommandSupport
import CryptoCore
import Foundation
import IRMAMessages

/// The folder of schemes that a command works with.
struct SchemesOptions: ParsableArguments {
    @Option(
        name: [.customShort("i"), .customLong("irmaconf"), .customLong("schemes-path"), .customShort("s")],
        help: "The folder of schemes (irma_configuration); by default irma_configuration in the user's data folder."
    )
    var path: String?

    /// Reads and verifies the schemes of the folder, and warns of those that are damaged.
    ///
    /// - Parameter assets: A folder of schemes that are copied before; nil for none.
    func snapshot(copyingFrom assets: String? = nil) async throws -> SchemeSnapshot {
        let directory = try SchemeFolder.opened(path ?? SchemeFolder.standard())
        if let assets, let folder = try SchemeCopy.assets(assets) {
            try await SchemeCopy.copySchemes(from: folder, to: directory)
        }
        return try await snapshot(of: directory)
    }

    /// Reads and verifies the schemes of the folder, without those that are damaged: the wallet has named them.
    func readableSnapshot() async throws -> SchemeSnapshot {
        try await SchemeFolder.opened(path ?? SchemeFolder.standard()).reading().snapshot
    }

    /// Reads and verifies the schemes of a folder, and warns of those that are damaged.
    func snapshot(of directory: SchemeDirectory) async throws(ToolError) -> SchemeSnapshot {
        do {
            let reading = try await directory.reading()
            for (scheme, error) in reading.errors.sorted(by: { $0.key < $1.key }) {
                Console.current.error("warning: the scheme \(scheme) cannot be read: \(error)")
            }
            return reading.snapshot
        } catch {
            throw ToolError("the schemes cannot be used: \(error)")
        }
    }
}

/// The folder of schemes that a command copies from.
struct SchemesAssetsOptions: ParsableArguments {
    @Option(
        name: [.customLong("schemes-assets-path"), .customLong("irmaconf-assets")],
        help: "A folder of schemes, copied to the other if they are missing there or newer."
    )
    var path: String?
}

/// The places of schemes in the file system.
enum SchemeFolder {
    /// The use of a folder, by the name that the reference gives it.
    enum Use: String {
        /// The schemes that commands work with, and update.
        case work = "irma_configuration"
        /// The schemes of an installation, which are copied from.
        case assets = "irma_configuration_assets"
    }

    /// The folder where the reference keeps schemes: below `XDG_DATA_HOME` or `~/.local/share`, then below the system's
    /// data folders; the first of them whose folder is there.
    static func standard(
        _ use: Use = .work,
        in environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(ToolError) -> String {
        let system = environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
        let folders = (dataOfUser(environment).map { [$0] } ?? []) + system.split(separator: ":").map(String.init)
        for folder in folders where FileManager.default.fileExists(atPath: path(of: use, in: folder)) {
            return path(of: use, in: folder)
        }
        throw missing
    }

    private static let missing = ToolError(
        "there is no folder of schemes: name one with --schemes-path, or run irma scheme download"
    )

    /// The folder where the reference keeps schemes; a missing one is made in the user's data folder.
    static func made(
        _ use: Use = .work,
        in environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(ToolError) -> String {
        if let found = try? standard(use, in: environment) { return found }
        guard let folder = dataOfUser(environment) else { throw missing }
        let path = path(of: use, in: folder)
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw ToolError("the folder of schemes \(path.escapedForDisplay(backslash: true)) cannot be made: \(error)")
        }
        return path
    }

    private static func path(of use: Use, in data: String) -> String { "\(data)/irma/\(use.rawValue)" }

    /// The folder of the user's data.
    private static func dataOfUser(_ environment: [String: String]) -> String? {
        if let data = environment["XDG_DATA_HOME"], !data.isEmpty { return data }
        return environment["HOME"].map { $0 + "/.local/share" }
    }

    /// Opens a folder of schemes.
    static func opened(_ path: String) throws(ToolError) -> SchemeDirectory {
        do {
            return try SchemeDirectory(opening: URL(fileURLWithPath: path, isDirectory: true))
        } catch {
            throw ToolError("\(path.escapedForDisplay(backslash: true)) is no folder of schemes: \(error)")
        }
    }

    /// Returns `true` if a folder is that of one scheme.
    static func isScheme(_ path: String) -> Bool {
        [RequestorScheme.descriptionPath.text, "description.xml"].contains {
            FileManager.default.fileExists(atPath: path + "/" + $0)
        }
    }

    /// The absolute form of a path, without `.` and `..`.
    static func absolute(_ path: String) -> URL { URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL }
}

/// The copy of schemes from one folder to another, such as from an installation to the folder that is updated.
///
/// Private keys stay where they are.
enum SchemeCopy {
    /// The folder of schemes to copy.
    ///
    /// - Parameters:
    ///   - path: The path of the folder; nil for the usual one, if it is there, and empty for none.
    ///   - environment: The variables that tell where the usual folder is.
    /// - Throws: ``ToolError`` for a path that is no folder.
    static func assets(
        _ path: String?,
        in environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(ToolError) -> SchemeDirectory? {
        guard let path = path ?? (try? SchemeFolder.standard(.assets, in: environment)), !path.isEmpty else {
            return nil
        }
        return try SchemeFolder.opened(path)
    }

    /// Copies the schemes that are missing, or older; one that is damaged is left to an update, which knows how old it may be.
    ///
    /// - Parameters:
    ///   - assets: The schemes to copy.
    ///   - store: The place that they are copied to.
    /// - Throws: ``ToolError``.
    static func copySchemes(from assets: SchemeDirectory, to store: some SchemeStore) async throws(ToolError) {
        do {
            for scheme in try await assets.schemes() {
                guard let offered = try await assets.verifiedFiles(of: scheme) else { continue }
                do throws(IRMAError) {
                    let kept = try await store.verifiedFiles(of: scheme)
                    if let kept, kept.time >= offered.time { continue }
                } catch {
                    continue
                }
                try await store.replace(with: offered)
            }
        } catch {
            throw ToolError("the schemes of \(assets.url.path) cannot be copied: \(error)")
        }
    }
}
