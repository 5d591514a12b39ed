import CommandSupport
import IRMAMessages

/// The copy of schemes from one folder to another, such as from an installation to the folder that is updated.
enum SchemeCopy {
    /// Copies the schemes that are missing, or older.
    ///
    /// - Parameters:
    ///   - path: The folder of schemes to copy.
    ///   - directory: The folder that they are copied to.
    /// - Throws: ``ToolError``.
    static func copySchemes(from path: String, to directory: SchemeDirectory) async throws(ToolError) {
        let assets = try SchemeFolder.opened(path)
        do {
            for scheme in try await assets.schemes() {
                guard let offered = try await assets.verifiedFiles(of: scheme) else { continue }
                let kept = try await directory.verifiedFiles(of: scheme)
                if let kept, kept.time >= offered.time { continue }
                try await directory.replace(with: offered)
            }
        } catch {
            throw ToolError("the schemes of \(path) cannot be copied: \(error)")
        }
    }
}
