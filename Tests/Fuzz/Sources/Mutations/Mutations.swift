import Dispatch
import Foundation
import Synchronization
import TestSupport

/// Feeds damaged variants of every vector file's inputs to the parsers: all truncations, and 100,000 mutations a file.
///
/// A trap ends the process. An input that takes seconds, or more memory than allowed, makes it exit 1. Arguments choose files by
/// a part of their names.
@main
enum Mutations {
    private static let mutationsOfAFile = 100_000
    private static let allowedMemory = 64 << 20
    private static let allowedTime = Duration.seconds(2)

    static func main() throws {
        let wanted = CommandLine.arguments.dropFirst()
        let subjects = try MutationSubject.all().filter { subject in
            wanted.isEmpty || wanted.contains { subject.name.contains($0) }
        }
        if VectorSet.root == nil { print("mutations: \(VectorSet.absence)") }
        PeakMemory.restart()
        let before = PeakMemory.bytes
        let total = sweep(subjects)
        let growth = before.flatMap { before in PeakMemory.bytes.map { $0 - before } }
        print("mutations: \(subjects.count) files: \(total)")
        if let before, let growth {
            print("mutations: at most \(growth >> 20) MiB more memory than the \(before >> 20) before")
        }
        let holds = !subjects.isEmpty && total.slowest <= allowedTime && growth ?? 0 <= allowedMemory
        exit(holds ? 0 : 1)
    }

    /// All files, on all cores.
    private static func sweep(_ subjects: [MutationSubject]) -> MutationTally {
        let total = Mutex(MutationTally())
        DispatchQueue.concurrentPerform(iterations: subjects.count) { index in
            let tally = subjects[index].sweep(mutations: mutationsOfAFile)
            total.withLock { total in
                total += tally
                print("mutations: \(subjects[index].name): \(tally)")
            }
        }
        return total.withLock(\.self)
    }
}
