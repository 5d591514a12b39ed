import JSONKit

struct BuiltInContext: Sendable {
    let url: String
    let document: ContextDocument
    static let all: [BuiltInContext] = []
}
