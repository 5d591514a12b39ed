#if Server
import CredentialServingHummingbird
import Foundation
import Testing

struct DateFieldTests {
    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (1_709_251_200, "Fri, 01 Mar 2024 00:00:00 GMT"), (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (1_798_761_599, "Thu, 31 Dec 2026 23:59:59 GMT"),
    ])
    func writesDates(second: Int, text: String) {
        let field = DateField()
        #expect(field.text(at: Date(timeIntervalSince1970: Double(second) + 0.9)) == text)
        #expect(field.text(at: Date(timeIntervalSince1970: Double(second))) == text)
    }
}
#endif
