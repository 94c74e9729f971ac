# The pairs of rectangles of a chip that touch, by KLayout.
#
#     klayout -zz -b -r klayout.rb -rd boxes=FILE
#
# FILE has lines lx,ly,hx,hy of integers. KLayout finds shapes that touch a rectangle, so each shape is asked
# for the others, in a loop of Ruby; KLayout's own operations on regions find shapes that touch some other, not
# pairs. Prints milliseconds of elapsed time to make the shapes and to find the pairs, and their number. Reading
# the file, and KLayout's start, are not measured.
def now
  Process.clock_gettime(Process::CLOCK_MONOTONIC) * 1000
end

boxes = File.readlines($boxes).map { |line| RBA::Box::new(*line.split(',').map(&:to_i)) }
start = now
shapes = RBA::Shapes::new
boxes.each { |box| shapes.insert(box) }
# they are sorted by the first search
shapes.each_touching(boxes[0]) { break } if boxes.size > 0
built = now
found = 0
boxes.each { |box| shapes.each_touching(box) { found += 1 } }
# each finds itself, and each pair is found twice
printf("%.3f %.3f %d\n", built - start, now - built, (found - boxes.size) / 2)
