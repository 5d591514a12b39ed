import Foundation
import Testing

@testable import CommandSupport

/// The process's own console, where its output cannot be written.
struct ConsoleTests {
    /// A full disk or a closed descriptor is an error like any other, and no crash.
    @Test func aFailedWriteEndsTheCommand() async throws {
        let result = try #require(
            await #expect(processExitsWith: .exitCode(2), observing: [\.standardErrorContent]) {
                close(STDOUT_FILENO)
                Console.standard.output("verdict: verified")
            }
        )
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("error: cannot write to standard output: Bad file descriptor"), "\(text)")
    }

    @Test func aFailedComplaintDoesNot() async {
        await #expect(processExitsWith: .exitCode(7)) {
            close(STDERR_FILENO)
            Console.standard.error("error: nobody hears this")
            exit(7)
        }
    }
}
