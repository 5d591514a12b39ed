import HTTPTypes

/// The routes of an engine as a tree of segments.
///
/// A literal segment goes before a parameter, from left to right. Each node is visited at most once for a path, so that a
/// look-up costs no more than there are routes.
struct RouteTable: Sendable {
    private struct Node: Sendable {
        var literals: [[UInt8]: Int] = [:]
        var parameter: Int?
        var routes: [HTTPRequest.Method: Entry] = [:]
    }

    struct Entry: Sendable {
        let route: ServerRoute
        let parameterNames: [[UInt8]]
    }

    enum Match: Sendable {
        case route(Entry, parameters: [[UInt8]])
        /// The path has routes, but none for the method; in no order.
        case otherMethods(Set<HTTPRequest.Method>)
        case none
    }

    private var nodes = [Node()]
    private let ignoresTrailingSlash: Bool

    init(_ routes: [ServerRoute], ignoresTrailingSlash: Bool) throws(ServingError) {
        self.ignoresTrailingSlash = ignoresTrailingSlash
        for route in routes { try insert(route) }
    }

    private mutating func insert(_ route: ServerRoute) throws(ServingError) {
        var names: [[UInt8]] = []
        var index = 0
        for segment in try segments(of: route.pattern) {
            switch segment {
            case .literal(let bytes):
                index = nodes[index].literals[bytes] ?? child(of: index) { $0.literals[bytes] = $1 }
            case .parameter(let name):
                guard !names.contains(name) else { throw Self.invalid(route.pattern, "duplicate parameter") }
                names.append(name)
                index = nodes[index].parameter ?? child(of: index) { $0.parameter = $1 }
            }
        }
        guard nodes[index].routes[route.method] == nil else {
            throw Self.invalid(route.pattern, "duplicate route for \(route.method.rawValue)")
        }
        nodes[index].routes[route.method] = Entry(route: route, parameterNames: names)
    }

    private mutating func child(of parent: Int, _ link: (inout Node, Int) -> Void) -> Int {
        nodes.append(Node())
        let index = nodes.count - 1
        link(&nodes[parent], index)
        return index
    }

    /// The route for a method and a path.
    func match(_ method: HTTPRequest.Method, _ path: ArraySlice<[UInt8]>) -> Match {
        var search = Search(method: method)
        search.path = withoutTrailingSlash(path)
        find(&search, 0, search.path.startIndex)
        if let entry = search.entry { return .route(entry, parameters: search.parameters) }
        return search.otherMethods.isEmpty ? .none : .otherMethods(search.otherMethods)
    }

    /// The methods that a path has routes for.
    func methods(at path: ArraySlice<[UInt8]>) -> Set<HTTPRequest.Method> {
        var search = Search(method: nil)
        search.path = withoutTrailingSlash(path)
        find(&search, 0, search.path.startIndex)
        return search.otherMethods
    }

    private struct Search {
        /// The method, or nil to collect all of them.
        let method: HTTPRequest.Method?
        var path: ArraySlice<[UInt8]> = []
        var parameters: [[UInt8]] = []
        var entry: Entry?
        var otherMethods: Set<HTTPRequest.Method> = []
    }

    /// Follows the path from a node; the depth is that of the tree.
    private func find(_ search: inout Search, _ index: Int, _ position: Int) {
        let node = nodes[index]
        guard position < search.path.endIndex else {
            search.entry = search.method.flatMap { node.routes[$0] }
            if search.entry == nil { search.otherMethods.formUnion(node.routes.keys) }
            return
        }
        let segment = search.path[position]
        if let next = node.literals[segment] {
            find(&search, next, position + 1)
            if search.entry != nil { return }
        }
        guard let next = node.parameter, !segment.isEmpty else { return }
        search.parameters.append(segment)
        find(&search, next, position + 1)
        if search.entry == nil { search.parameters.removeLast() }
    }

    private func withoutTrailingSlash<Segments: BidirectionalCollection>(_ path: Segments) -> Segments.SubSequence
    where Segments.Element == [UInt8] {
        guard ignoresTrailingSlash, path.count > 1, path.last?.isEmpty == true else { return path[...] }
        return path.dropLast()
    }

    private enum Segment {
        case literal([UInt8])
        case parameter([UInt8])
    }

    /// The largest number of segments in a pattern.
    private static let maximumDepth = 32

    private func segments(of pattern: String) throws(ServingError) -> [Segment] {
        guard let parsed = RequestTarget(pattern).segments, !pattern.utf8.contains(UInt8(ascii: "?")) else {
            throw Self.invalid(pattern, "no path")
        }
        let path = withoutTrailingSlash(parsed)
        guard path.count <= Self.maximumDepth else { throw Self.invalid(pattern, "too many segments") }
        var segments: [Segment] = []
        for segment in path { segments.append(try Self.segment(segment, pattern)) }
        return segments
    }

    private static func segment(_ bytes: [UInt8], _ pattern: String) throws(ServingError) -> Segment {
        let braces = [UInt8(ascii: "{"), UInt8(ascii: "}")]
        guard bytes.contains(where: braces.contains) else { return .literal(bytes) }
        let name = Array(bytes.dropFirst().dropLast())
        guard
            bytes.count > 2, bytes.first == braces[0], bytes.last == braces[1], !name.contains(where: braces.contains)
        else { throw invalid(pattern, "a parameter is a whole segment {name}") }
        return .parameter(name)
    }

    private static func invalid(_ pattern: String, _ message: String) -> ServingError {
        ServingError(.invalidRoute, message, path: [pattern])
    }
}
