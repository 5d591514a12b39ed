import JSONKit

extension JSONError.Code {
    /// Indicates that the code says that a text demands too much, not that it is wrong.
    var isLimit: Bool {
        let limits: [JSONError.Code] = [.sizeLimit, .depthLimit, .valueLimit, .stringLimit, .numberLimit]
        return limits.contains(self)
    }
}
