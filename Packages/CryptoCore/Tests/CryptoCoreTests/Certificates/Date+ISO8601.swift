import Foundation

extension Date {
    /// A time in UTC such as `2020-10-01T00:00:00Z`.
    init(iso8601 text: String) throws {
        try self.init(text, strategy: .iso8601)
    }
}
