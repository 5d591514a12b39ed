#if Server
import HTTPTypes
import CommandSupport
import CredentialServing
import CredentialServingOperations
import Foundation

/// The files of a folder, as they were when the server started, below a path.
///
/// Only files that were there have a route, so that no path of a client reaches the file system. Files and folders whose
/// names begin with a dot are left out.
struct StaticFiles: Sendable {
    /// The routes, one for each file, and two for each folder with an `index.html`: the page is below the one that ends with a
    /// slash, to which the other leads.
    let routes: [ServerRoute]

    /// The largest number of files.
    static let maximumCount = 10_000
    /// The largest size of a file in bytes.
    static let maximumSize = 32 << 20

    private static let types = [
        "css": "text/css; charset=utf-8", "gif": "image/gif", "html": "text/html; charset=utf-8",
        "ico": "image/x-icon", "jpeg": "image/jpeg", "jpg": "image/jpeg", "js": "text/javascript; charset=utf-8",
        "json": "application/json", "map": "application/json", "png": "image/png", "svg": "image/svg+xml",
        "txt": "text/plain; charset=utf-8", "wasm": "application/wasm", "webp": "image/webp", "woff": "font/woff",
        "woff2": "font/woff2", "xml": "text/xml; charset=utf-8",
    ]

    /// Finds the files of a folder.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - prefix: The path in front of the files' own.
    /// - Throws: ``ToolError``.
    init(in path: String, below prefix: String) throws(ToolError) {
        let folder = URL(fileURLWithPath: path, isDirectory: true)
        guard let names = FileManager.default.subpaths(atPath: folder.path) else {
            throw ToolError("static_path: \(path) is no readable folder")
        }
        let base = prefix.hasSuffix("/") ? prefix : prefix + "/"
        var routes: [ServerRoute] = []
        for name in names.sorted() where Self.isServed(name) {
            let url = folder.appendingPathComponent(name)
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), !isFolder.boolValue else {
                continue
            }
            let type = Self.types[url.pathExtension.lowercased()] ?? "application/octet-stream"
            let handler: ServerRoute.Handler = { _ in try Self.response(url, type: type) }
            routes.append(.get(base + name, handler: handler))
            guard url.lastPathComponent == "index.html" else { continue }
            let place = base + name.dropLast("index.html".count)
            routes.append(.get(place, handler: handler))
            if place != "/" { routes.append(.get(String(place.dropLast()), handler: Self.appendingSlash)) }
        }
        guard routes.count <= Self.maximumCount else {
            throw ToolError("static_path: more than \(Self.maximumCount) files")
        }
        self.routes = routes
    }

    /// Refuses a folder that cannot be served.
    static func check(_ configuration: ServerConfiguration) throws {
        guard let path = try configuration.valueIfPresent(of: ServerKeys.staticPath), !path.isEmpty else { return }
        _ = try StaticFiles(in: path, below: configuration.value(of: ServerKeys.staticPrefix))
    }

    /// An engine that serves the files of a configuration's folder before another; that one alone without a folder.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - base: The path in front of the prefix.
    ///   - engine: The other engine.
    static func served(
        _ configuration: ServerConfiguration,
        below base: String = "",
        before engine: any HTTPEngine
    ) throws -> any HTTPEngine {
        guard let path = try configuration.valueIfPresent(of: ServerKeys.staticPath), !path.isEmpty else {
            return engine
        }
        let files = try StaticFiles(in: path, below: base + configuration.value(of: ServerKeys.staticPrefix))
        return PathSwitch(
            engine: try RoutedEngine(files.routes, clock: Console.current.timer),
            paths: Set(files.routes.map(\.pattern)),
            other: engine
        )
    }

    /// Leaves out hidden files, and names that stand for a parameter in a route.
    private static func isServed(_ name: String) -> Bool {
        !name.split(separator: "/").contains { $0.hasPrefix(".") }
            && !name.contains(where: { "{}%?#".contains($0) })
    }

    /// Leads to the same path with a slash at its end, below which the relative links of the page are.
    @Sendable private static func appendingSlash(_ request: ServerRequest) -> ServerResponse {
        let target = request.head.path ?? ""
        let query = target.firstIndex(of: "?").map { target[$0...] } ?? ""
        let folder = request.path.split(separator: "/").last ?? ""
        // The dot keeps a colon in the name from ending a scheme (RFC 3986, section 4.2).
        return ServerResponse(.movedPermanently, headerFields: [.location: "./\(folder)/\(query)"])
    }

    private static func response(_ url: URL, type: String) throws -> ServerResponse {
        let handle = try FileHandle(forReadingFrom: url)
        defer { try? handle.close() }
        let content = try handle.read(upToCount: maximumSize + 1) ?? Data()
        guard content.count <= maximumSize else { return ServerResponse(.contentTooLarge) }
        return ServerResponse(.ok, headerFields: [.contentType: type], body: .bytes([UInt8](content)))
    }
}

/// An engine that answers certain paths, with another for all others.
struct PathSwitch: HTTPEngine {
    let engine: any HTTPEngine
    /// The paths, not percent-encoded.
    let paths: Set<String>
    let other: any HTTPEngine

    func response(to request: ServerRequest) async -> ServerResponse {
        let path = request.path.removingPercentEncoding ?? ""
        let isOwn = paths.contains(path) && [.get, .head].contains(request.method)
        return await (isOwn ? engine : other).response(to: request)
    }
}
#endif
